import { contract, messages } from "../../../../src/judge/stages/yesNo.ts"
import { coated, empty, type Shape } from "./common.ts"

export type Read = "YES" | "NO" | "unreadable"
const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]

export const shapes: ReadonlyArray<Shape<Read>> = [
  ...coated<Read>({ reason: "the dose isn't the one that was agreed", error: "YES" }, "YES"),
  ...empty<Read>(
    none,
    messages({ transcript: "Doctor: Hello.", note: "Seen." }, "Judge the note.")[0]!.content,
    example
  ),
  ["a yes that is taken back", "Yes, the note has no error.", none],
  ["a yes that is taken back, in a record", '{"error": "Yes, no errors found"}', none],
  ["a no that is taken back", "No, there is an error in it.", none],
  ["a yes for what is missing", "Yes, the note has no allergies.", "YES"],
  ["a no that says it again", "No. The note has no error.", "NO"],
  ["the other answer", '{"reason": "all is there", "error": "NO"}', "NO"],
  ["true", '{"error": true}', "YES"],
  ["false", '{"error": false}', "NO"],
  ["Python's True", "{'error': True}", "YES"],
  ["true as a string", '{"error": "true"}', "YES"],
  ["lower case", '{"error": "no"}', "NO"],
  ["a full stop", '{"error": "Yes."}', "YES"],
  ["a remark behind it", '{"error": "NO - everything is supported"}', "NO"],
  ["has_error", '{"has_error": true}', "YES"],
  ["answer", '{"answer": "NO"}', "NO"],
  ["verdict in words", '{"verdict": "no error"}', "NO"],
  ["a nested verdict", '{"verdict": {"error": "YES", "reason": "x"}}', "YES"],
  ["a bare word", "YES", "YES"],
  ["a bare word in bold", "**NO**", "NO"],
  ["a bare word and a reason", "YES. The side is wrong.", "YES"],
  ["a bare word, a comma, a reason", "No, the note is supported throughout.", "NO"],
  ["a word on a line of its own", "YES\n\nThe dose differs from what was said.", "YES"],
  ["a named answer", "Reason: the dose differs.\nError: YES", "YES"],
  ["a named answer in bold", "**Answer:** NO", "NO"],
  ["the answer last", "The note was compared line by line.\n\nNO", "NO"],
  ["a YAML block", "reason: all there\nerror: no", "NO"],
  ["words for it", "No errors", "NO"],
  ["two records that agree", '{"error": "NO"} and so {"error": "no"}', "NO"],
  ["two records that differ", '{"error": "NO"}\nOn reflection:\n{"error": "YES"}', none],
  ["one record that says both", '{"error": "YES", "answer": "NO"}', none],
  ["the name twice with both", '{"error": "YES", "error": "NO"}', none],
  ["a text that says both", "YES\n\nAnswer: NO", none],
  ["yes and no", "Yes and no.", none],
  ["a sentence that begins with No", "No transcript was given to me.", none],
  ["the choice itself", '{"error": "YES or NO"}', none],
  ["maybe", '{"error": "MAYBE"}', none],
  ["a number", '{"error": 1}', none],
  ["NaN", '{"error": NaN}', none],
  ["null", '{"error": null}', none],
  ["a cut reason", '{"reason": "the note leaves out', none],
  ["a cut answer", '{"reason": "x", "error": "YE', none],
  ["a reason alone", '{"reason": "yes, the dose is wrong"}', none]
]
