import type { EmbeddedRole } from "../role.ts"

/** Answers what no other role knows: says what it is and what it can do. */
export const talk: EmbeddedRole = {
  name: "talk",
  answer: () =>
    "This is lexical-1, the embedded stand-in of assize. It can judge a clinical note against a transcript, as a whole, by facts, by a checklist or by a criterion, and rewrite or merge a judge's instructions; it has no other skills."
}
