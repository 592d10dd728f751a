import { contract, messages } from "../../../../src/judge/stages/audit.ts"
import { coated, empty, type Shape } from "./common.ts"

const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]
export const facts = [
  { id: "F1", text: "A fact" },
  { id: "F2", text: "B fact" },
  { id: "F3", text: "C fact" }
]
const good = "F1 critical, F2 duplicate, F3 peripheral"

export const shapes: ReadonlyArray<Shape<string>> = [
  ...coated<string>(
    {
      facts: [
        { id: "F1", grade: "critical" },
        { id: "F2", grade: "duplicate" },
        { id: "F3", grade: "peripheral" }
      ]
    },
    good
  ),
  ...empty<string>(none, messages({ transcript: "Doctor: Hello.", facts }, "Audit the facts.")[0]!.content, example),
  ["a map", '{"F1": "critical", "F2": "duplicate", "F3": "peripheral"}', good],
  ["a map under the name", '{"facts": {"F1": "critical", "F2": "duplicate", "F3": "peripheral"}}', good],
  [
    "a map of records",
    '{"F1": {"severity": "critical"}, "F2": {"severity": "duplicate"}, "F3": {"severity": "peripheral"}}',
    good
  ],
  ["lists by grade", '{"critical": ["F1"], "duplicate": ["F2"], "peripheral": ["F3"]}', good],
  ["pairs", '[["F1", "critical"], ["F2", "duplicate"], ["F3", "peripheral"]]', good],
  ["lines as strings", '["F1: critical", "F2: duplicate", "F3: peripheral"]', good],
  ["ids in lower case", '{"f1": "critical", "f2": "duplicate", "f3": "peripheral"}', good],
  ["grades in capitals", '{"F1": "CRITICAL", "F2": "Duplicate", "F3": "Peripheral."}', good],
  [
    "grades with a reason",
    '{"F1": "critical (allergy)", "F2": "duplicate - see F1", "F3": "peripheral: social"}',
    good
  ],
  ["lines", "F1: critical\nF2: duplicate\nF3: peripheral", good],
  ["bullets in bold", "- **F1**: critical\n- **F2**: duplicate\n- **F3**: peripheral", good],
  ["a table", "| id | grade |\n|---|---|\n| F1 | critical |\n| F2 | duplicate |\n| F3 | peripheral |", good],
  [
    "YAML",
    "facts:\n  - id: F1\n    grade: critical\n  - id: F2\n    grade: duplicate\n  - id: F3\n    grade: peripheral",
    good
  ],
  [
    "JSON Lines",
    '{"id": "F1", "grade": "critical"}\n{"id": "F2", "grade": "duplicate"}\n{"id": "F3", "grade": "peripheral"}',
    good
  ],
  [
    "flags of support",
    '[{"id": "F1", "supported": true, "severity": "critical"}, {"id": "F2", "duplicate": true}, {"id": "F3", "supported": false}]',
    "F1 critical, F2 duplicate, F3 unsupported"
  ],
  [
    "drop with a reason",
    '{"F1": "critical", "F2": "drop: duplicate", "F3": "not supported"}',
    "F1 critical, F2 duplicate, F3 unsupported"
  ],
  ["an id missing", '{"F1": "critical", "F3": "peripheral"}', "F1 critical, F3 peripheral | missing F2"],
  ["an id cut off", '{"facts": [{"id": "F1", "grade": "critical"}, {"id": "F2", "gra', "F1 critical | missing F2 F3"],
  [
    "an id invented",
    '{"F1": "critical", "F2": "duplicate", "F3": "peripheral", "F9": "critical"}',
    `${good} | invented F9`
  ],
  [
    "an id twice alike",
    '[{"id": "F1", "grade": "critical"}, {"id": "F1", "grade": "critical"}, {"id": "F2", "grade": "duplicate"}, {"id": "F3", "grade": "peripheral"}]',
    `${good} | duplicated F1`
  ],
  [
    "an id twice with two grades",
    '{"F1": "critical", "F1": "peripheral", "F2": "duplicate", "F3": "peripheral"}',
    "F2 duplicate, F3 peripheral | missing F1 | duplicated F1"
  ],
  [
    "two answers that differ in one",
    '{"F1": "critical", "F2": "duplicate", "F3": "peripheral"}\nCorrected:\n{"F1": "critical", "F2": "duplicate", "F3": "supporting"}',
    "F1 critical, F2 duplicate | missing F3 | duplicated F1 F2 F3"
  ],
  [
    "a grade of another scale",
    '{"F1": "high", "F2": "duplicate", "F3": "peripheral"}',
    "F2 duplicate, F3 peripheral | missing F1"
  ],
  ["NaN and null", '{"F1": NaN, "F2": null, "F3": "peripheral"}', "F3 peripheral | missing F1 F2"],
  [
    "two grades in one record",
    '{"id": "F1", "grade": "critical", "severity": "peripheral"} {"id": "F2", "grade": "duplicate"}',
    "F2 duplicate | missing F1 F3"
  ],
  [
    "the facts echoed, then graded",
    '{"id":"F1","text":"A fact"}\n{"id":"F2","text":"B fact"}\n{"id":"F3","text":"C fact"}\n{"F1": "critical", "F2": "duplicate", "F3": "peripheral"}',
    good
  ],
  ["only ids that nobody asked for", '{"F8": "critical", "F9": "peripheral"}', none],
  ["no ids", '{"facts": ["critical", "duplicate", "peripheral"]}', none],
  [
    "facts that are not to be kept, and graded all the same",
    '{"facts": [{"id": "F1", "keep": false, "grade": "critical"}, {"id": "F2", "keep": true, "grade": "duplicate"}, {"id": "F3", "grade": "peripheral", "action": "remove"}]}',
    none
  ],
  [
    "facts that are kept or not, as they are graded",
    '{"facts": [{"id": "F1", "keep": true, "grade": "critical"}, {"id": "F2", "keep": false, "grade": "duplicate"}, {"id": "F3", "grade": "peripheral", "decision": "keep"}]}',
    good
  ],
  [
    "not kept, and no word why",
    '{"F1": {"keep": false}, "F2": {"drop": "yes"}, "F3": "peripheral"}',
    "F3 peripheral | missing F1 F2"
  ],
  [
    "a duplicate that has a severity",
    '{"F1": {"grade": "critical", "duplicate_of": null}, "F2": {"grade": "supporting", "duplicate_of": "F1"}, "F3": {"is_duplicate": "yes", "grade": "peripheral"}}',
    "F1 critical | missing F2 F3"
  ],
  [
    "a severity for what was never said",
    '{"F1": {"severity": "critical", "established": true}, "F2": {"severity": "critical", "established": false}, "F3": {"severity": "peripheral", "unsupported": false}}',
    "F1 critical, F3 peripheral | missing F2"
  ],
  [
    "a grade without a severity",
    '{"F1": "critical", "F2": {"grade": "duplicate", "severity": null}, "F3": "peripheral"}',
    good
  ],
  ["whose duplicate it is", "F1: critical\nF2: duplicate of F1\nF3: peripheral", good],
  [
    "graded facts under the name of those left out",
    '{"keep": [{"id": "F1", "grade": "critical"}], "drop": [{"id": "F2", "grade": "duplicate"}, {"id": "F3", "grade": "peripheral"}]}',
    "F1 critical, F2 duplicate | missing F3"
  ],
  [
    "a field for each grade, and two at once",
    '{"F1": {"critical": true, "supporting": false}, "F2": {"critical": true, "duplicate": true}, "F3": {"grade": "peripheral", "peripheral": false}}',
    "F1 critical | missing F2 F3"
  ]
]
