import type { Audit } from "../audit/Audit.ts"

/** How an audit's candidates are called for people: by name, with the id where two have one name. */
export const namesOf = ({ lineage: { nodes } }: Audit): ((id: string) => string) => {
  const counts = new Map<string, number>()
  for (const { name } of nodes) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = new Map(nodes.map(({ id, name }) => [id, counts.get(name) === 1 ? name : `${name} (${id})`]))
  return (id) => names.get(id) ?? id
}
