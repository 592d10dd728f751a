import { contract, messages } from "../../../../src/judge/stages/checklist.ts"
import { coated, empty, type Shape } from "./common.ts"

/** The answers in order, as `yyn`; with the questions not applicable behind a slash. */
export type Read = string
const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]

export const shapes: ReadonlyArray<Shape<Read>> = [
  ...coated<Read>(
    {
      questions: [
        { question: "Is the dose recorded?", satisfied: "YES" },
        { question: "Isn't the side missing?", satisfied: "NO" },
        { question: "Is the plan there?", satisfied: "YES" }
      ]
    },
    "yny"
  ),
  ...empty<Read>(
    none,
    messages({ transcript: "Doctor: Hello.", note: "Seen." }, "Judge the note.")[0]!.content,
    example
  ),
  ["a list without a name", '[{"question": "A?", "satisfied": true}, {"question": "B?", "satisfied": false}]', "yn"],
  ["another name for the list", '{"checklist": [{"question": "A?", "satisfied": "YES"}]}', "y"],
  ["other names for the fields", '{"items": [{"item": "A?", "answer": "yes"}, {"item": "B?", "answer": "no"}]}', "yn"],
  ["booleans", '{"questions": [{"question": "A?", "satisfied": true}]}', "y"],
  [
    "Python's literals",
    "{'questions': [{'question': 'A?', 'satisfied': True}, {'question': 'B?', 'satisfied': False}]}",
    "yn"
  ],
  ["a map by question", '{"Is A there?": "YES", "Is B there?": "NO"}', "yn"],
  ["a map under the name", '{"questions": {"Is A there?": true, "Is B there?": false}}', "yn"],
  [
    "a map by number",
    '{"questions": {"1": {"question": "A?", "satisfied": "YES"}, "2": {"question": "B?", "satisfied": "NO"}}}',
    "yn"
  ],
  ["records of one field", '[{"Is A there?": "YES"}, {"Is B there?": "NO"}]', "yn"],
  ["JSON Lines", '{"question": "A?", "satisfied": "YES"}\n{"question": "B?", "satisfied": "NO"}', "yn"],
  [
    "answers with remarks",
    '{"questions": [{"question": "A?", "satisfied": "Yes - in the plan"}, {"question": "B?", "satisfied": "No, it is missing"}]}',
    "yn"
  ],
  ["a summary beside the list", '{"questions": [{"question": "A?", "satisfied": "YES"}], "share": 1}', "y"],
  ["ticks", '{"questions": [{"question": "A?", "satisfied": "✅"}, {"question": "B?", "satisfied": "❌"}]}', "yn"],
  ["pass and fail", '{"checks": [{"check": "A?", "result": "pass"}, {"check": "B?", "result": "fail"}]}', "yn"],
  ["a numbered list", "1. Is A there? YES\n2. Is B there? NO", "yn"],
  ["bullets with dashes", "- Is A there? - Yes\n- Is B there? - No, it is not", "yn"],
  ["bold answers", "1. **Is A there?** **YES**\n2. **Is B there?** **NO**", "yn"],
  ["arrows", "* Is A there? → yes\n* Is B there? → no", "yn"],
  ["ticked boxes", "- [x] Is A there?\n- [ ] Is B there?", "yn"],
  ["a table", "| # | Question | Answer |\n|---|---|---|\n| 1 | Is A there? | YES |\n| 2 | Is B there? | NO |", "yn"],
  [
    "the same question twice",
    '{"questions": [{"question": "A?", "satisfied": "YES"}, {"question": "a?", "satisfied": "YES"}]}',
    "y"
  ],
  [
    "a question that does not apply",
    '{"questions": [{"question": "A?", "satisfied": "YES"}, {"question": "B?", "satisfied": "N/A"}]}',
    "y/1"
  ],
  [
    "a question with null",
    '{"questions": [{"question": "A?", "satisfied": "NO"}, {"question": "B?", "satisfied": null}]}',
    "n/1"
  ],
  [
    "a question answered in two ways",
    '{"questions": [{"question": "A?", "satisfied": "YES"}, {"question": "A?", "satisfied": "NO"}]}',
    none
  ],
  [
    "an answer that is neither",
    '{"questions": [{"question": "A?", "satisfied": "PARTLY"}, {"question": "B?", "satisfied": "YES"}]}',
    none
  ],
  ["an answer left out", '{"questions": [{"question": "A?"}, {"question": "B?", "satisfied": "YES"}]}', none],
  ["NaN", '{"questions": [{"question": "A?", "satisfied": NaN}]}', none],
  ["nothing that applies", '{"questions": [{"question": "A?", "satisfied": "N/A"}]}', none],
  ["an empty list", '{"questions": []}', none],
  ["questions without answers", '{"questions": ["Is A there?", "Is B there?"]}', none],
  [
    "two lists",
    '{"questions": [{"question": "A?", "satisfied": "YES"}]} {"questions": [{"question": "B?", "satisfied": "NO"}]}',
    none
  ],
  ["a list cut off", '{"questions": [{"question": "A?", "satisfied": "YES"}, {"question": "B?", "sat', none],
  ["a list cut between two questions", '{"questions": [{"question": "A?", "satisfied": "YES"},', none],
  ["a score instead", '{"reason": "fine", "score": 7}', none],
  ["a reason beside the questions of a map", '{"Is A there?": "YES", "reason": "NO allergy"}', "y"],
  ["a reason that is an answer", '{"reason": "no", "Is A there?": "YES"}', "y"],
  ["a summary beside the questions of a map", '{"Is A there?": "YES", "Is B there?": "NO", "overall": "NO"}', "yn"],
  ["a reason under the name", '{"questions": {"Is A there?": "YES", "reason": "A is there"}}', "y"],
  ["a summary alone", '{"overall": "YES"}', none],
  ["questions named by letters", '{"A": "YES", "B": "NO"}', "yn"],
  ["the opposite's name", '{"questions": [{"question": "A?", "not_satisfied": true}]}', "n"],
  ["both names", '{"questions": [{"question": "A?", "satisfied": true, "not_satisfied": true}]}', none],
  ["a yes with an exception", '{"questions": [{"question": "A?", "satisfied": "Yes, but not the dose"}]}', none],
  ["a line whose answer is neither", "1. Is A there? YES\n2. Is B there? Partly", none],
  [
    "answers that are taken back",
    '{"questions": [{"question": "A?", "satisfied": "YES"}]}\n\nActually, I misread: NO.',
    none
  ]
]
