import { contract, messages } from "../../../../src/judge/stages/secondLook.ts"
import { coated, empty, type Shape } from "./common.ts"

const none = "unreadable"
const example = /\{.*\}/.exec(contract)![0]
export const facts = [
  { id: "F1", text: "He takes aspirin" },
  { id: "F2", text: "He lives alone" },
  { id: "F3", text: "No fever" }
]
export const note =
  "Medicines: takes Aspirin\n75 mg daily.\nSocial: lives alone, doesn’t drive. Afebrile on examination."
const good = "F1 rescued, F2 rescued, F3 absent"

export const shapes: ReadonlyArray<Shape<string>> = [
  ...coated<string>(
    {
      facts: [
        { id: "F1", quote: "takes aspirin 75 mg" },
        { id: "F2", quote: "lives alone, doesn't drive" },
        { id: "F3", quote: "" }
      ]
    },
    good
  ),
  ...empty<string>(none, messages({ note, facts }, "Look again.")[0]!.content, example),
  ["a map", '{"F1": "takes aspirin 75 mg", "F2": "lives alone, doesn\'t drive", "F3": ""}', good],
  [
    "a map of records",
    '{"F1": {"quote": "takes aspirin 75 mg"}, "F2": {"quote": "lives alone, doesn\'t drive"}, "F3": {"quote": ""}}',
    good
  ],
  ["null for nothing", '{"F1": "takes aspirin 75 mg", "F2": "lives alone, doesn\'t drive", "F3": null}', good],
  ["Python's None", "{'F1': 'takes aspirin 75 mg', 'F2': 'lives alone, doesn\\'t drive', 'F3': None}", good],
  ["words for nothing", '{"F1": "takes aspirin 75 mg", "F2": "lives alone, doesn\'t drive", "F3": "Not found"}', good],
  ["absent for nothing", '{"F1": "takes aspirin 75 mg", "F2": "lives alone, doesn\'t drive", "F3": "absent"}', good],
  [
    "a flag beside the quote",
    '[{"id": "F1", "found": true, "quote": "takes aspirin 75 mg"}, {"id": "F2", "found": true, "quote": "lives alone, doesn\'t drive"}, {"id": "F3", "found": false, "quote": null}]',
    good
  ],
  [
    "a flag alone for nothing",
    '[{"id": "F1", "quote": "takes aspirin 75 mg"}, {"id": "F2", "quote": "lives alone, doesn\'t drive"}, {"id": "F3", "found": "no"}]',
    good
  ],
  [
    "a verdict for nothing",
    '[{"id": "F1", "quote": "takes aspirin 75 mg"}, {"id": "F2", "quote": "lives alone, doesn\'t drive"}, {"id": "F3", "verdict": "absent"}]',
    good
  ],
  [
    "evidence for quote",
    '[{"id": "F1", "evidence": "takes aspirin 75 mg"}, {"id": "F2", "evidence": "lives alone, doesn\'t drive"}, {"id": "F3", "evidence": ""}]',
    good
  ],
  ["pairs", '[["F1", "takes aspirin 75 mg"], ["F2", "lives alone, doesn\'t drive"], ["F3", ""]]', good],
  ["ids in lower case", '{"f1": "takes aspirin 75 mg", "f2": "lives alone, doesn\'t drive", "f3": ""}', good],
  ["another case of the quote", '{"F1": "TAKES ASPIRIN 75 MG", "F2": "Lives Alone, doesn\'t drive", "F3": ""}', good],
  [
    "the note's line break in the quote",
    '{"F1": "takes Aspirin\n75 mg", "F2": "lives alone, doesn\'t drive", "F3": ""}',
    good
  ],
  [
    "quotes within the quote",
    '{"F1": "\'takes Aspirin 75 mg\'", "F2": "“lives alone, doesn’t drive”", "F3": ""}',
    good
  ],
  ["lines", "F1: takes aspirin 75 mg\nF2: lives alone, doesn't drive\nF3: none", good],
  [
    "bullets in bold",
    '- **F1**: "takes aspirin 75 mg"\n- **F2**: "lives alone, doesn\'t drive"\n- **F3**: nothing',
    good
  ],
  [
    "YAML",
    "- id: F1\n  quote: takes aspirin 75 mg\n- id: F2\n  quote: lives alone, doesn't drive\n- id: F3\n  quote: none",
    good
  ],
  [
    "JSON Lines",
    '{"id": "F1", "quote": "takes aspirin 75 mg"}\n{"id": "F2", "quote": "lives alone, doesn\'t drive"}\n{"id": "F3", "quote": ""}',
    good
  ],
  [
    "a quote that is not in the note",
    '{"F1": "takes aspirin every night", "F2": "lives alone, doesn\'t drive", "F3": ""}',
    "F2 rescued, F1 refused, F3 absent"
  ],
  [
    "the fact for a quote",
    '{"F1": "He takes aspirin", "F2": "lives alone, doesn\'t drive", "F3": "No fever"}',
    "F2 rescued, F1 refused, F3 refused"
  ],
  [
    "a quote that is too short",
    '{"F1": "aspirin", "F2": "lives alone, doesn\'t drive", "F3": ""}',
    "F2 rescued, F1 refused, F3 absent"
  ],
  [
    "a quote with a word left out",
    '{"F1": "takes aspirin … daily", "F2": "lives alone, doesn\'t drive", "F3": ""}',
    "F2 rescued, F1 refused, F3 absent"
  ],
  [
    "a quote and a remark",
    '{"F1": "takes aspirin 75 mg (in Medicines)", "F2": "lives alone, doesn\'t drive", "F3": ""}',
    "F2 rescued, F1 refused, F3 absent"
  ],
  ["an id missing", '{"F1": "takes aspirin 75 mg", "F3": ""}', "F1 rescued, F3 absent | missing F2"],
  [
    "an id invented",
    '{"F1": "takes aspirin 75 mg", "F2": "lives alone, doesn\'t drive", "F3": "", "F9": "Afebrile on examination"}',
    `${good} | invented F9`
  ],
  [
    "an id twice alike",
    '[{"id": "F1", "quote": "takes aspirin 75 mg"}, {"id": "F1", "quote": "takes aspirin 75 mg"}, {"id": "F2", "quote": ""}, {"id": "F3", "quote": ""}]',
    "F1 rescued, F2 absent, F3 absent | duplicated F1"
  ],
  [
    "an id twice with two quotes",
    '{"F1": "takes aspirin 75 mg", "F1": "", "F2": "", "F3": ""}',
    "F2 absent, F3 absent | missing F1 | duplicated F1"
  ],
  [
    "not found, with a quote",
    '[{"id": "F1", "found": false, "quote": "takes aspirin 75 mg"}, {"id": "F2", "quote": ""}, {"id": "F3", "quote": ""}]',
    "F2 absent, F3 absent | missing F1"
  ],
  [
    "cut off in a quote",
    '{"facts": [{"id": "F1", "quote": "takes aspirin 75 mg"}, {"id": "F2", "quote": "lives al',
    "F1 rescued | missing F2 F3"
  ],
  ["NaN", '{"F1": NaN, "F2": "", "F3": ""}', "F2 absent, F3 absent | missing F1"],
  ["a number", '{"F1": 1, "F2": "", "F3": ""}', "F2 absent, F3 absent | missing F1"],
  ["only ids that nobody asked for", '{"F8": "takes aspirin 75 mg"}', none],
  [
    "quotes that fields beside them deny",
    '{"facts": [{"id": "F1", "quote": "takes aspirin 75 mg", "verdict": "absent"}, {"id": "F2", "quote": "lives alone", "absent": true}, {"id": "F3", "quote": "Afebrile on examination", "records_fact": "no"}]}',
    none
  ],
  [
    "quotes that fields beside them bear out",
    '{"facts": [{"id": "F1", "quote": "takes aspirin 75 mg", "verdict": "present"}, {"id": "F2", "quote": "lives alone, doesn\'t drive", "absent": false}, {"id": "F3", "quote": "", "status": "not recorded"}]}',
    good
  ],
  [
    "found, and nothing shown",
    '{"F1": {"quote": "", "found": true}, "F2": {"quote": "lives alone"}, "F3": {"quote": ""}}',
    "F2 rescued, F3 absent | missing F1"
  ],
  [
    "a quote, and none",
    '{"F1": {"quote": "takes aspirin", "quote": ""}, "F2": {"quote": "lives alone", "evidence": ""}, "F3": {"quote": "", "evidence": "afebrile on examination"}}',
    "F2 rescued, F3 absent | missing F1"
  ],
  [
    "the ids by what was found",
    '{"recorded": {"F1": "takes aspirin 75 mg", "F2": "lives alone"}, "not_recorded": ["F3"]}',
    good
  ],
  [
    "a name in place of a quote",
    '{"Medicines: takes": ["F1"], "not_recorded": {"F2": "lives alone"}, "F3": ""}',
    "F3 absent | missing F1 F2"
  ]
]
