import { contract, messages } from "../../../../src/judge/stages/check.ts"
import { coated, empty, type Shape } from "./common.ts"

const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]
export const facts = [
  { id: "F1", text: "A fact" },
  { id: "F2", text: "B fact" },
  { id: "F3", text: "C fact" }
]
const good = "F1 full, F2 partial, F3 absent"

export const shapes: ReadonlyArray<Shape<string>> = [
  ...coated<string>(
    {
      verdicts: [
        { id: "F1", quote: "isn't on aspirin", verdict: "full" },
        { id: "F2", quote: "knee", verdict: "partial" },
        { id: "F3", quote: "", verdict: "absent" }
      ]
    },
    good
  ),
  ...empty<string>(
    none,
    messages(
      { transcript: "Doctor: Hello.", note: "Seen.", facts, scale: "full-partial-absent" },
      "Check the facts."
    )[0]!.content,
    example
  ),
  ["a map", '{"F1": "full", "F2": "partial", "F3": "absent"}', good],
  ["a map under the name", '{"verdicts": {"F1": "full", "F2": "partial", "F3": "absent"}}', good],
  [
    "a map of records",
    '{"F1": {"verdict": "full", "quote": "x"}, "F2": {"verdict": "partial"}, "F3": {"verdict": "absent"}}',
    good
  ],
  [
    "verdicts in records of their own",
    '{"F1": {"verdict": {"label": "full"}}, "F2": {"verdict": {"label": "partial"}}, "F3": {"verdict": {"label": "absent"}}}',
    good
  ],
  ["lists by verdict", '{"full": ["F1"], "partial": ["F2"], "absent": ["F3"]}', good],
  ["pairs", '[["F1", "full"], ["F2", "partial"], ["F3", "absent"]]', good],
  ["lines as strings", '{"verdicts": ["F1: full", "F2: partial", "F3: absent"]}', good],
  ["ids in lower case", '{"f1": "full", "f2": "partial", "f3": "absent"}', good],
  ["ids with words", '{"Fact F1": "full", "Fact F2": "partial", "Fact F3": "absent"}', good],
  ["ids in brackets", '{"[F1]": "full", "[F2]": "partial", "[F3]": "absent"}', good],
  [
    "fact_id",
    '[{"fact_id": "F1", "status": "full"}, {"fact_id": "F2", "status": "partial"}, {"fact_id": "F3", "status": "absent"}]',
    good
  ],
  ["verdicts in capitals", '{"F1": "FULL", "F2": "Partial", "F3": "Absent."}', good],
  [
    "verdicts with remarks",
    '{"F1": "full (in the plan)", "F2": "partial - no dose", "F3": "absent, not in the note"}',
    good
  ],
  ["other words for them", '{"F1": "fully present", "F2": "partially", "F3": "not mentioned"}', good],
  ["flags", '[{"id": "F1", "full": true}, {"id": "F2", "partial": true}, {"id": "F3", "absent": true}]', good],
  ["lines", "F1: full\nF2: partial\nF3: absent", good],
  ["lines with dashes", "F1 - full\nF2 — partial\nF3 – absent", good],
  ["lines with the facts' words", "F1 (A fact): full\nF2: B fact — partial\nF3: C fact → absent", good],
  ["bullets in bold", "* **F1:** full\n* **F2:** partial\n* **F3:** absent", good],
  ["a numbered list", "1. F1: full\n2. F2: partial\n3. F3: absent", good],
  [
    "a table",
    '| Fact | Verdict | Quote |\n|:--|:--|:--|\n| F1 | full | "x" |\n| F2 | partial | "y" |\n| F3 | absent | |',
    good
  ],
  [
    "a table with the facts' words",
    "| F1 | A fact | full |\n| F2 | B fact | partial |\n| F3 | C fact | absent |",
    good
  ],
  ["YAML", "- id: F1\n  quote: x\n  verdict: full\n- id: F2\n  verdict: partial\n- id: F3\n  verdict: absent", good],
  ["a YAML map", "F1: full\nF2: partial\nF3: absent\n", good],
  ["blocks below ids", "F1\nverdict: full\n\nF2\nverdict: partial\n\nF3\nverdict: absent", good],
  [
    "JSON Lines",
    '{"id": "F1", "verdict": "full"}\n{"id": "F2", "verdict": "partial"}\n{"id": "F3", "verdict": "absent"}',
    good
  ],
  [
    "commas left out between records",
    '{"verdicts": [{"id": "F1", "verdict": "full"} {"id": "F2", "verdict": "partial"}\n{"id": "F3", "verdict": "absent"}]}',
    good
  ],
  ["a comma left out at a line's end", '{\n"F1": "full"\n"F2": "partial"\n"F3": "absent"\n}', good],
  [
    "a quote with quotes in it",
    '[{"id": "F1", "quote": "said "no" to it", "verdict": "full"}, {"id": "F2", "verdict": "partial"}, {"id": "F3", "verdict": "absent"}]',
    good
  ],
  ["an id missing", '{"F1": "full", "F3": "absent"}', "F1 full, F3 absent | missing F2"],
  [
    "cut off in a record",
    '{"verdicts": [{"id": "F1", "verdict": "full"}, {"id": "F2", "verdict": "par',
    "F1 full | missing F2 F3"
  ],
  ["cut off between two", '{"F1": "full", "F2": "partial",', "F1 full, F2 partial | missing F3"],
  [
    "the end alone cut off",
    '{"verdicts": [{"id": "F1", "verdict": "full"}, {"id": "F2", "verdict": "partial"}, {"id": "F3", "verdict": "absent"}',
    good
  ],
  ["an id invented", '{"F1": "full", "F2": "partial", "F3": "absent", "F4": "full"}', `${good} | invented F4`],
  ["an id invented in lines", "F1: full\nF2: partial\nF3: absent\nF4: full", `${good} | invented F4`],
  ["an id twice alike", '{"F1": "full", "F1": "full", "F2": "partial", "F3": "absent"}', `${good} | duplicated F1`],
  [
    "an id twice with two verdicts",
    '{"F1": "full", "F1": "absent", "F2": "partial", "F3": "absent"}',
    "F2 partial, F3 absent | missing F1 | duplicated F1"
  ],
  [
    "an id twice in two cases",
    '{"F1": "full", "f1": "absent", "F2": "partial", "F3": "absent"}',
    "F2 partial, F3 absent | missing F1 | duplicated F1"
  ],
  [
    "two answers that differ in one",
    '{"F1": "full", "F2": "partial", "F3": "absent"}\nWait.\n{"F1": "full", "F2": "absent", "F3": "absent"}',
    "F1 full, F3 absent | missing F2 | duplicated F1 F2 F3"
  ],
  [
    "a verdict that is on no scale",
    '{"F1": "full", "F2": "mostly", "F3": "absent"}',
    "F1 full, F3 absent | missing F2"
  ],
  [
    "present is full or partial",
    '{"F1": "present", "F2": "partial", "F3": "absent"}',
    "F2 partial, F3 absent | missing F1"
  ],
  [
    "two verdicts in one record",
    '[{"id": "F1", "verdict": "full", "status": "absent"}, {"id": "F2", "verdict": "partial"}]',
    "F2 partial | missing F1 F3"
  ],
  [
    "the choice itself",
    '{"F1": "full, partial or absent", "F2": "partial", "F3": "absent"}',
    "F2 partial, F3 absent | missing F1"
  ],
  ["numbers for verdicts", '{"F1": 1, "F2": 0.5, "F3": 0}', none],
  ["NaN and null", '{"F1": NaN, "F2": null, "F3": "absent"}', "F3 absent | missing F1 F2"],
  [
    "the facts echoed, then judged",
    '{"id":"F1","text":"A fact"}\n{"id":"F2","text":"B fact"}\n{"id":"F3","text":"C fact"}\n\n{"F1": "full", "F2": "partial", "F3": "absent"}',
    good
  ],
  ["positions for ids", '{"1": "full", "2": "partial", "3": "absent"}', none],
  ["no ids", '["full", "partial", "absent"]', none],
  ["a score instead", '{"reason": "fine", "score": 7}', none],
  [
    "a verdict that a field beside it denies",
    '{"F1": {"present": "no", "verdict": "full"}, "F2": {"verdict": "absent", "recorded": "yes"}, "F3": "absent"}',
    "F3 absent | missing F1 F2"
  ],
  [
    "verdicts that fields beside them bear out",
    '{"verdicts": [{"id": "F1", "found": true, "verdict": "full"}, {"id": "F2", "missing": true, "verdict": "partial"}, {"id": "F3", "is_present": "no", "verdict": "absent"}]}',
    good
  ],
  [
    "full, and something that says not all of it",
    '{"F1": {"verdict": "full", "fully_recorded": "no"}, "F2": {"verdict": "full (partially)"}, "F3": {"verdict": "full", "missing": true}}',
    none
  ],
  [
    "one field for each verdict",
    '{"F1": {"full": true, "partial": false, "absent": false}, "F2": {"full": false, "partial": true, "absent": false}, "F3": {"full": false, "partial": false, "absent": true}}',
    good
  ],
  [
    "two of them at once",
    '{"F1": {"full": true, "absent": true}, "F2": "partial", "F3": {"full": false}}',
    "F2 partial | missing F1 F3"
  ],
  [
    "that it stands in the transcript",
    '{"F1": {"present_in_transcript": true}, "F2": {"in_transcript": "yes", "verdict": "partial"}, "F3": {"in_note": false}}',
    "F2 partial, F3 absent | missing F1"
  ],
  ["several ids on a line", "F1, F2: full\nF3: absent", "F1 full, F2 full, F3 absent"],
  ["several ids on a line, and an exception", "F1, F2 and F3: full, except F2: absent", none],
  [
    "a record under a verdict that it is not",
    '{"absent": [{"id": "F1", "verdict": "full"}, {"id": "F3", "verdict": "absent"}], "partial": ["F2"]}',
    "F2 partial, F3 absent | missing F1"
  ],
  [
    "a verdict that is null beside one that is not",
    '{"F1": {"verdict": "full", "status": null}, "F2": {"verdict": "partial", "result": "n/a"}, "F3": {"verdict": null}}',
    "F1 full, F2 partial | missing F3"
  ],
  [
    "verdicts that are taken back",
    '{"F1": "full", "F2": "full", "F3": "full"}\n\nWait, F2 is about the other knee.',
    none
  ]
]
