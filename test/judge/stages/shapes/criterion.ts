import { contract, messages } from "../../../../src/judge/stages/criterion.ts"
import { coated, empty, type Shape } from "./common.ts"

export type Read = "met" | "not met" | "unreadable"
const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]

export const shapes: ReadonlyArray<Shape<Read>> = [
  ...coated<Read>({ reason: "the plan isn't complete", met: "NO" }, "not met"),
  ...empty<Read>(
    none,
    messages(
      { transcript: "Doctor: Hello.", note: "Seen.", criterion: { id: "C1", text: "It has a plan." } },
      "Judge the criterion."
    )[0]!.content,
    example
  ),
  ["a yes that is taken back", "Yes, it is not met.", none],
  ["a no that is taken back", "No, it is met.", none],
  ["a yes in part", '{"met": "yes, but only partially"}', none],
  ["the other answer", '{"reason": "there", "met": "YES"}', "met"],
  ["true", '{"met": true}', "met"],
  ["false", '{"met": false}', "not met"],
  ["Python's False", "{'met': False}", "not met"],
  ["criteria_met", '{"explanation": "x", "criteria_met": true}', "met"],
  ["criterion met, with a space", '{"criterion met": "yes"}', "met"],
  ["a word for it", '{"verdict": "not met"}', "not met"],
  ["another word for it", '{"verdict": "Satisfied"}', "met"],
  ["a nested verdict", '{"result": {"met": {"answer": "YES"}}}', "met"],
  ["a list of one verdict", '{"criteria": [{"id": "C1", "met": "YES"}]}', "met"],
  ["lower case and a full stop", '{"met": "yes."}', "met"],
  ["a remark behind it", '{"met": "NO, only a part"}', "not met"],
  ["a bare word", "YES", "met"],
  ["a bare word and a reason", "NO. The dose is not there.", "not met"],
  ["a named answer", "Reason: it is there.\nMet: YES", "met"],
  ["bold markdown", "**Met:** NO", "not met"],
  ["a YAML block", "met: true\nreason: there", "met"],
  ["met, in words", "Met.", "met"],
  ["a tick", '{"met": "✅"}', "met"],
  ["quotes in the reason", '{"reason": "it says "no allergies" only", "met": "YES"}', "met"],
  ["two records that differ", '{"met": "YES"} {"met": "NO"}', none],
  ["the name twice with both", '{"met": true, "met": false}', none],
  ["two criteria that differ", '[{"id": "C1", "met": true}, {"id": "C2", "met": false}]', none],
  ["partly", '{"met": "PARTLY"}', none],
  ["a score", '{"met": 0.5}', none],
  ["not applicable", '{"met": "N/A"}', none],
  ["NaN", '{"met": NaN}', none],
  ["null", '{"met": null}', none],
  ["the choice itself", '{"met": "YES or NO"}', none],
  ["a cut reason", '{"reason": "the note has no', none],
  ["a cut answer", '{"reason": "x", "met": tr', none],
  ["a reason alone", '{"reason": "it is not there"}', none],
  ["a sentence that begins with No", "No plan was recorded in the note", none]
]
