import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { auditOf } from "../../src/audit/auditOf.ts"
import { isReadable, type NotReadable } from "../../src/audit/foreign/ForeignLineage.ts"
import { readGepaFolder } from "../../src/audit/foreign/gepaFolder.ts"
import { readJsonLines } from "../../src/audit/foreign/jsonLines.ts"
import { lineageSections } from "../../src/report/auditLineageSections.ts"
import { inputOf } from "./support.ts"

/** Lines as OmissionBench's third campaign writes them. */
const omissionBench = [
  { event: "run_start", run_id: "r" },
  {
    event: "candidate",
    leg: "pipeline",
    id: 0,
    name: "seed_check",
    kind: "seed",
    parent: null,
    iter: 0,
    instruction: "Check.",
    vec: { paired_omit: 0.7 },
    chars: 6
  },
  {
    event: "candidate",
    leg: "mono",
    id: 0,
    name: "seed_fc_score",
    kind: "seed",
    parent: null,
    iter: 0,
    instruction: "Judge the note.",
    vec: { paired_omit: 0.6146, det10: 0.02, paired_omit_detail: { wins: 20 } },
    chars: 15
  },
  {
    event: "candidate",
    leg: "mono",
    id: 1,
    name: "v3m-01",
    kind: "mutation",
    parent: 0,
    origin: "#0",
    iter: 1,
    instruction: "Judge the whole note.",
    vec: { paired_omit: 0.66, det10: 0.2 },
    chars: 21
  },
  {
    event: "rejected_minibatch",
    leg: "mono",
    iter: 2,
    kind: "mutation",
    origin: "#1",
    parent: 1,
    mb_parent: 0.5,
    mb_child: 0.4
  },
  { event: "mutation_failed", leg: "mono", iter: 3, kind: "mutation", origin: "#1", parent: 1, why: "no block" },
  { event: "mutation_duplicate", leg: "mono", iter: 4, kind: "mutation", origin: "#1", parent: 1 },
  {
    event: "candidate",
    leg: "mono",
    id: 2,
    name: "v3m-02",
    kind: "merge",
    parent: 1,
    origin: "#1+#0",
    iter: 5,
    instruction: "Judge all of the note.",
    vec: { paired_omit: 0.6875, det10: 0.25 },
    chars: 22
  },
  { event: "test", leg: "mono", name: "v3m-02", k: 8, vec: { paired_omit: 0.625954 } }
]
const jsonl = (lines: ReadonlyArray<unknown>) => lines.map((line) => JSON.stringify(line)).join("\n")

const readable = (read: ReturnType<typeof readJsonLines>) => {
  if (!isReadable(read)) throw new Error(JSON.stringify(read.problems))
  return read
}
const problems = (read: ReturnType<typeof readJsonLines>) => (read as NotReadable).problems

describe("lineages of JSON Lines", () => {
  it("are read as OmissionBench writes them: one leg, with parents, figures, tests and what was rejected", () => {
    const read = readable(readJsonLines(jsonl(omissionBench), "mono"))
    assert.deepStrictEqual(
      read.candidates.map(({ id, iteration, name, origin, parents, primary, secondary }) => [
        id,
        name,
        origin,
        parents,
        iteration,
        primary,
        secondary
      ]),
      [
        ["0", "seed_fc_score", "seed", [], 0, 0.6146, 0.02],
        ["1", "v3m-01", "reflection", ["0"], 1, 0.66, 0.2],
        ["2", "v3m-02", "merge", ["1", "0"], 5, 0.6875, 0.25]
      ]
    )
    assert.deepStrictEqual(read.candidates[0]!.figures, {
      paired_omit: 0.6146,
      det10: 0.02,
      "paired_omit_detail.wins": 20
    })
    assert.strictEqual(read.candidates[2]!.figures!["test.paired_omit"], 0.625954)
    assert.deepStrictEqual(
      read.rejected.map(({ detail, iteration, reason }) => [iteration, reason, detail]),
      [
        [2, "rejected_minibatch", "on its minibatch 0.4, the parent 0.5"],
        [3, "mutation_failed", "no block"],
        [4, "mutation_duplicate", ""]
      ]
    )
    assert.deepStrictEqual(
      read.notKnown.map(({ section }) => section),
      ["lineage", "separation", "wall", "flips", "cost", "optimism"]
    )
    const audit = auditOf(inputOf(null, read.candidates))
    assert.deepStrictEqual(audit.lineage.path, ["0", "1", "2"])
    assert.strictEqual(audit.lineage.steps.length, 3)
    assert.deepStrictEqual([audit.separation, audit.wall, audit.flips, audit.optimism], [null, null, null, null])
    assert.closeTo(audit.cost[2]!.gain!, 0.0729, 1e-12)
  })

  it("need the leg to be named where there are several, and a leg that is there", () => {
    assert.strictEqual(problems(readJsonLines(jsonl(omissionBench), undefined))[0]!.field, "--leg")
    assert.include(problems(readJsonLines(jsonl(omissionBench), "other"))[0]!.expected, "pipeline, mono")
  })

  it("of any tool give the optimism where values by instance are there, in lists or by name", () => {
    const lines = Array.from({ length: 12 }, (_, at) => ({
      id: `k${at}`,
      parent: at === 0 ? null : "k0",
      instruction: `Instruction ${at}.`,
      scores: Object.fromEntries(Array.from({ length: 40 }, (_, one) => [`i${one}`, ((at * 7 + one * 13) % 11) / 10]))
    }))
    const read = readable(readJsonLines(jsonl(lines), undefined))
    const audit = auditOf(inputOf(null, read.candidates))
    assert.deepStrictEqual(
      [audit.optimism!.units, audit.optimism!.drawn, audit.optimism!.candidates],
      ["instances", 40, 12]
    )
    assert.isAbove(audit.optimism!.optimism, 0)
    const listed = readable(
      readJsonLines(jsonl(lines.map((line) => ({ ...line, scores: Object.values(line.scores) }))), undefined)
    )
    assert.closeTo(auditOf(inputOf(null, listed.candidates)).optimism!.apparent, audit.optimism!.apparent, 1e-12)
  })

  it("are refused with the line and what is wrong", () => {
    const wrong = problems(
      readJsonLines(
        '{"instruction":"a","id":1}\n{"instruction":"b","id":1}\n{"instruction":3,"event":"candidate"}',
        undefined
      )
    )
    assert.deepStrictEqual(
      wrong.map(({ field, line }) => [line, field]),
      [
        [2, "id"],
        [3, "instruction"]
      ]
    )
    assert.strictEqual(problems(readJsonLines('{"a":1}\n[', undefined))[0]!.line, 2)
    assert.include(problems(readJsonLines('{"a":1}', undefined))[0]!.what, "no candidate")
  })

  it("go on without parents that are not there or descend from their own child, and say which and where", () => {
    const lines = [
      { id: "a", instruction: "A.", parent: "c" },
      { id: "b", instruction: "B.", parent: "a" },
      { id: "c", instruction: "C.", parents: ["b", "gone"] },
      { id: "d", instruction: "D.", parent: "d" }
    ]
    const read = readable(readJsonLines(jsonl(lines), undefined))
    assert.deepStrictEqual(
      read.warnings.map(({ field, line, what }) => [line, field, what]),
      [
        [
          3,
          "parent",
          'candidate "c" would be its own ancestor, by "c" from "b" from "a" from "c"; the step from "b" is left out'
        ],
        [3, "parent", 'candidate "c" has a parent "gone" that is not there; the step is left out'],
        [4, "parent", 'candidate "d" would be its own ancestor, by "d" from "d"; the step from "d" is left out']
      ]
    )
    const audit = auditOf(inputOf(null, read.candidates, "b"))
    assert.deepStrictEqual(audit.lineage.path, ["c", "a", "b"])
  })

  it("say where a value is beyond all numbers, and go on without it", () => {
    const text = [
      '{"id":1,"instruction":"A.","vec":{"paired_omit":1e999,"more":{"x":-1e999},"ok":1}}',
      '{"id":2,"instruction":"B.","score":1e999,"rewards":[1,1e999]}'
    ].join("\n")
    const read = readable(readJsonLines(text, undefined))
    assert.deepStrictEqual(
      read.warnings.map(({ field, line, what }) => [line, field, what]),
      [
        [1, "vec.paired_omit", 'of "1" is beyond all numbers and is left out'],
        [1, "vec.more.x", 'of "1" is beyond all numbers and is left out'],
        [2, "score", 'of "2" is beyond all numbers and is left out'],
        [2, "rewards.1", 'of "2" is beyond all numbers and is left out']
      ]
    )
    assert.deepStrictEqual(read.candidates[0]!.figures, { ok: 1 })
  })

  it("never break the reader, whatever JSON they hold", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), (values) => {
        const read = readJsonLines(
          jsonl(values.map((value) => ({ instruction: "x", ...(typeof value === "object" ? value : { vec: value }) }))),
          undefined
        )
        if (isReadable(read)) auditOf(inputOf(null, read.candidates))
      })
    )
  })
})

describe("a run folder of gepa", () => {
  const candidates = [{ judge: "Judge." }, { judge: "Judge well." }, { judge: "Judge very well." }]
  const log = [
    { i: 0, selected_program_candidate: 0, subsample_scores: [0, 1], new_subsample_scores: [1, 1], new_program_idx: 1 },
    { i: 1, selected_program_candidate: 1, subsample_scores: [1, 0], new_subsample_scores: [0, 0] },
    {
      i: 2,
      invoked_merge: true,
      merged: true,
      merged_entities: [1, 0, 0],
      new_program_subsample_scores: [1],
      new_program_idx: 2
    }
  ]

  it("gives the tree, and says that values by instance are in the pickle that is never opened", () => {
    const read = readable(readGepaFolder(candidates, log))
    assert.deepStrictEqual(
      read.candidates.map(({ id, iteration, origin, parents }) => [id, origin, parents, iteration]),
      [
        ["0", "seed", [], 0],
        ["1", "reflection", ["0"], 1],
        ["2", "merge", ["1", "0"], 3]
      ]
    )
    assert.deepStrictEqual(read.candidates[1]!.figures, {
      "minibatch.parent.sum": 1,
      "minibatch.parent.n": 2,
      "minibatch.child.sum": 2,
      "minibatch.child.n": 2
    })
    assert.deepStrictEqual(
      read.rejected.map(({ detail, iteration, parent, reason }) => [iteration, parent, reason, detail]),
      [[2, "1", "not accepted", "rewards summed over minibatch instances: parent 1 over 2, child 0 over 2"]]
    )
    assert.include(read.notKnown[0]!.why, "never opened")
  })

  it("is refused where it is none, and says which candidates come from nowhere", () => {
    assert.isFalse(isReadable(readGepaFolder({}, [])))
    assert.isFalse(isReadable(readGepaFolder([{ a: 1 }], [])))
    assert.isFalse(isReadable(readGepaFolder(candidates, {})))
    assert.include(readable(readGepaFolder(candidates, log.slice(0, 1))).warnings[0]!.what, "#2")
  })

  it("shows sums of rewards as they are, and not as shares", () => {
    const read = readable(readGepaFolder(candidates, log))
    const [lineage] = lineageSections(auditOf(inputOf(null, read.candidates, "1")))
    assert.deepStrictEqual(
      lineage!.rows.map((row) => row.slice(-4)),
      [
        ["minibatch.parent.sum", "minibatch.parent.n", "minibatch.child.sum", "minibatch.child.n"],
        ["-", "-", "-", "-"],
        ["1", "2", "2", "2"]
      ]
    )
  })

  it("says which entry names a parent that is none, and goes on", () => {
    const wrong = [
      { ...log[0], selected_program_candidate: 7 },
      { ...log[2], merged_entities: [2, 0, 0] }
    ]
    const read = readable(readGepaFolder(candidates, wrong))
    assert.deepStrictEqual(
      read.warnings.map(({ field, what }) => [field, what.split(";")[0]]),
      [
        ["run_log.json[0]", 'candidate "1" has a parent "7" that is not there'],
        ["run_log.json[1]", 'candidate "2" would be its own ancestor, by "2" from "2"']
      ]
    )
    assert.deepStrictEqual(
      read.candidates.map(({ parents }) => parents),
      [[], [], ["0"]]
    )
  })

  it("never breaks the reader, whatever JSON it holds", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const read = readGepaFolder([{ judge: "x" }, one], [other, { new_program_idx: 1, merged_entities: other }])
        if (isReadable(read)) auditOf(inputOf(null, read.candidates))
      })
    )
  })
})
