import { contract, messages } from "../../../../src/judge/stages/extract.ts"
import { coated, empty, type Shape } from "./common.ts"

/** The facts' texts in order, joined by ` + `. */
export type Read = string
const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]

export const shapes: ReadonlyArray<Shape<Read>> = [
  ...coated<Read>(
    { facts: ["He doesn't smoke.", "Ramipril 5 mg once a day", "Pain in the left knee: 3 weeks"] },
    "He doesn't smoke. + Ramipril 5 mg once a day + Pain in the left knee: 3 weeks"
  ),
  ...empty<Read>(none, messages({ transcript: "Doctor: Hello." }, "List the facts.")[0]!.content, example),
  ["a gateway's error", '{"error": ["rate limit"]}', none],
  ["an ellipsis for a list", '{"facts": ["…"]}', none],
  ["a list without a name", '["A fact", "B fact"]', "A fact + B fact"],
  [
    "records with a text",
    '{"facts": [{"id": "F1", "text": "A fact"}, {"id": "F2", "text": "B fact"}]}',
    "A fact + B fact"
  ],
  ["records with other names", '[{"n": 1, "statement": "A fact"}, {"n": 2, "statement": "B fact"}]', "A fact + B fact"],
  ["records with a severity", '{"facts": [{"fact": "A fact", "severity": "critical"}]}', "A fact"],
  ["a map by id", '{"F1": "A fact", "F2": "B fact"}', "A fact + B fact"],
  ["a map by number under the name", '{"facts": {"1": "A fact", "2": "B fact"}}', "A fact + B fact"],
  ["lists by section", '{"history": ["A fact"], "plan": ["B fact", "C fact"]}', "A fact + B fact + C fact"],
  ["lists by section under the name", '{"facts": {"history": ["A fact"], "plan": ["B fact"]}}', "A fact + B fact"],
  ["JSON Lines", '{"fact": "A fact"}\n{"fact": "B fact"}', "A fact + B fact"],
  ["another name for the list", '{"statements": ["A fact"]}', "A fact"],
  ["a count beside the list", '{"count": 2, "facts": ["A fact", "B fact"]}', "A fact + B fact"],
  ["numbers in the texts", '{"facts": ["1. A fact", "2. B fact"]}', "A fact + B fact"],
  ["ids in the texts", '{"facts": ["F1: A fact", "F2: B fact"]}', "A fact + B fact"],
  ["line breaks in a text", '{"facts": ["A\nfact", "B fact"]}', "A fact + B fact"],
  ["quotes in a text", '{"facts": ["He said "never" to that", "B fact"]}', 'He said "never" to that + B fact'],
  ["a repeated fact", '{"facts": ["A fact.", "B fact", "a fact"]}', "A fact. + B fact"],
  ["empty texts", '{"facts": ["A fact", "", " "]}', "A fact"],
  ["bullets", "- A fact\n- B fact", "A fact + B fact"],
  ["bullets below a heading", "# Facts\n\n* A fact\n* B fact", "A fact + B fact"],
  ["a numbered list", "1. A fact\n2. B fact", "A fact + B fact"],
  ["a numbered list in brackets", "1) A fact\n2) B fact", "A fact + B fact"],
  ["ids before the lines", "F1: A fact\nF2: B fact", "A fact + B fact"],
  ["a table", "| id | fact |\n|----|------|\n| F1 | A fact |\n| F2 | B fact |", "A fact + B fact"],
  ["the same list twice in two coats", '["A fact"]\n\n```json\n["A fact"]\n```', "A fact"],
  ["a list cut off", '{"facts": ["A fact", "B fa', none],
  ["a list cut between two facts", '{"facts": ["A fact", ', none],
  ["a list without its end", '{"facts": ["A fact", "B fact"', none],
  ["two lists", '{"facts": ["A fact"]}\nOn reflection:\n{"facts": ["B fact"]}', none],
  ["an empty list", '{"facts": []}', none],
  ["numbers", '{"facts": [1, 2]}', none],
  ["NaN", '{"facts": [NaN]}', none],
  ["a number of facts", '{"facts": 2}', none],
  ["a fact that is the transcript", JSON.stringify({ facts: ["word ".repeat(300)] }), none],
  ["facts without end", JSON.stringify({ facts: Array.from({ length: 500 }, (_, index) => `fact ${index}`) }), none],
  ["prose", "The patient has had pain for three weeks and takes ramipril.", none],
  ["verdicts instead", '{"verdicts": [{"id": "F1", "verdict": "full"}]}', none],
  ["none in the list", '{"facts": ["None"]}', none],
  ["none beside a fact", '{"facts": ["A is so", "N/A"]}', "A is so"],
  ["no facts in words", "- (no facts established)", none],
  ["placeholders", '{"facts": ["<fact 1>", "<fact 2>"]}', none],
  ["placeholders without marks", '{"facts": ["fact 1", "fact 2"]}', none],
  ["a refusal in the list", '{"facts": ["I\'m sorry, but I cannot list facts from this transcript."]}', none],
  ["a missing transcript in the list", '{"facts": ["No transcript was provided."]}', none],
  ["a refusal in bullets", "I'm sorry, but:\n- I can't share medical facts.\n- Please see a doctor.", none],
  ["a plan in place of facts", "1. First, I will read the transcript.\n2. Then I will list the facts.", none],
  ["what was left out", '{"excluded_facts": ["A is so"]}', none],
  ["what was left out beside the facts", '{"history": ["A is so"], "not_established": ["B is so"]}', "A is so"],
  [
    "sections that are named after an exclusion",
    '{"history": ["A is so"], "excluded_diagnoses": ["No gout"]}',
    "A is so + No gout"
  ],
  ["questions in place of facts", '{"questions": ["Is he ill?"]}', none],
  ["the transcript in place of facts", '{"transcript": ["Doctor: hello.", "Patient: hi."]}', none],
  ["bullets below what was left out", "Facts:\n- A is so\n\nNot established:\n- B is so", "A is so"],
  ["bullets below bold headings", "**History**\n- A is so\n**Excluded diagnoses:**\n- No gout", "A is so + No gout"],
  [
    "a negative fact that begins as a refusal may",
    '{"facts": ["No fever", "No known allergies", "I cannot sleep, he said"]}',
    "No fever + No known allergies + I cannot sleep, he said"
  ]
]
