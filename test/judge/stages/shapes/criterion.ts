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
  ["a sentence that begins with No", "No plan was recorded in the note", none],
  ["the opposite's name", '{"not_met": true}', "not met"],
  ["both names", '{"met": "YES", "unmet": "YES"}', none],
  ["both names that agree", '{"met": "NO", "not_met": "YES"}', "not met"],
  ["a yes with an exception", '{"met": "YES, except for the dose"}', none],
  ["a yes but not all", "Yes, but not the dose.", none],
  ["a sentence", "The criterion is met.", "met"],
  ["a sentence that denies", "The plan is missing. So the criterion isn't met.", "not met"],
  ["a sentence under a condition", "The criterion would be met if a plan were given.", none],
  ["half of it", "The first half of the criterion is met.", none],
  ["a no for a note that fulfils it", "NO, the note fulfils it.", none],
  ["an answer that is taken back", '{"met": "YES"}\n\nOn reflection the plan is missing.', none]
]
