import type { Problem } from "../domain/InputError.ts"

const kinds: ReadonlyArray<{
  readonly fields: ReadonlyArray<string>
  readonly what: string
  readonly hint: string
}> = [
  {
    fields: ["context", "questions"],
    what: "is a line of answerability questions, as squad2 and radqa import them, and no dataset",
    hint: "assize score --questions FILE --answers FILE scores what was answered to them"
  },
  {
    fields: ["consultation", "note", "fact", "labels"],
    what: "is a line of physicians' labels, as healthbench-meta imports them, and no dataset",
    hint: "assize score --labels FILE --verdicts FILE measures judges by them; their dataset is the file beside this one"
  },
  {
    fields: ["consultation", "note", "score"],
    what: "is a row of a table of scores, and no dataset",
    hint: "assize score --scores FILE reads it"
  }
]

/** What a line is that is no consultation, where it is of another kind of file that assize writes or reads. */
export const otherKind = (value: unknown): Problem | undefined => {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, "notes")) return undefined
  const found = kinds.find(({ fields }) => fields.every((field) => Object.hasOwn(value, field)))
  return found === undefined ? undefined : { what: found.what, expected: "one consultation a line", hint: found.hint }
}
