import { draw, pick } from "../noise.ts"

/** How often an answer that lists something is readable, but not the bare object that was asked for. */
export const awkwardRate = 0.01
/** How often it cannot be read, or not all of it. */
export const brokenRate = 0.003

type Row = Readonly<Record<string, unknown>>

const awkward: ReadonlyArray<(name: string, rows: ReadonlyArray<Row | string>) => string> = [
  (name, rows) => `\`\`\`json\n${JSON.stringify({ [name]: rows }, null, 1)}\n\`\`\``,
  (name, rows) => `Here is the answer.\n\n${JSON.stringify({ [name]: rows })}\n\nLet me know if you need more.`,
  (_, rows) => JSON.stringify(rows),
  (name, rows) => JSON.stringify({ [name]: rows }).replace(/\]\}$/, ",]}")
]

/** An answer that is a list under a name, as text: what the contract asks for, nearly always. `about` names the question, so that a retry draws anew. */
export const listText = (name: string, rows: ReadonlyArray<Row | string>, seed: number, about: string): string => {
  const luck = draw(seed, `${about}/shape`)
  const plain = JSON.stringify({ [name]: rows })
  if (luck < brokenRate) return pick(["", plain.slice(0, Math.floor(plain.length * 0.6))], seed, `${about}/broken`)
  if (luck < brokenRate + awkwardRate) return pick(awkward, seed, `${about}/awkward`)(name, rows)
  return plain
}

/** An answer that is yes or no with a reason. */
export const yesNoText = (name: string, reason: string, yes: boolean, seed: number, about: string): string => {
  const luck = draw(seed, `${about}/shape`)
  const said = yes ? "YES" : "NO"
  const plain = JSON.stringify({ reason, [name]: said })
  if (luck < brokenRate)
    return pick(["", "It depends on how one reads it.", plain.slice(0, -8)], seed, `${about}/broken`)
  if (luck < brokenRate + awkwardRate)
    return pick(
      [`\`\`\`json\n${plain}\n\`\`\``, `**${said}**`, JSON.stringify({ [name]: yes, reason })],
      seed,
      `${about}/awkward`
    )
  return plain
}
