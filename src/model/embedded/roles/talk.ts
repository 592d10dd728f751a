import type { EmbeddedRole } from "../role.ts"

/** Answers what no other role knows: says what it is and what it can do. */
export const talk: EmbeddedRole = {
  name: "talk",
  answer: () =>
    "This is lexical-1, the embedded stand-in of assize. It can judge a clinical note against a transcript and rewrite a judge's instruction; it has no other skills."
}
