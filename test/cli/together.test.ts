import { assert, describe, it } from "vitest"
import { temporaryFolder } from "../e2e/cli.ts"
import { assizeHere } from "../e2e/inProcess.ts"

/** Command lines with a flag that would change nothing, and which flags those are. */
const idle: ReadonlyArray<readonly [line: string, flags: ReadonlyArray<string>]> = [
  ["run campaign.yaml --plain --quiet", ["--plain"]],
  ["runs show --candidate winner --iteration 1", ["--candidate"]],
  ["runs show --note a/b --iteration 1", ["--note"]],
  ["data show data.jsonl --candidate c1 --store s.sqlite", ["--candidate", "--store"]],
  ["data show data.jsonl --json --width 60", ["--width"]],
  [
    "confirm latest --preregister --out p.md --markdown p --force --budget-calls 3 --patience 1s --accept-failed --again why",
    ["--out", "--markdown", "--force", "--budget-calls", "--patience", "--accept-failed", "--again"]
  ],
  ["audit latest --patience 1s --budget-usd 3", ["--patience", "--budget-usd"]],
  ["audit p.md --dataset d.jsonl --resamples 1000 --seed 3 --leg x", ["--resamples", "--seed", "--leg"]],
  ["audit latest --seed-prompt s.md --leg x", ["--seed-prompt", "--leg"]],
  ["audit --lineage l.jsonl --ablate --campaign c.yaml", ["--ablate", "--campaign"]],
  [
    "calibrate --scores s.csv --model a=b --samples 2 --campaign c.yaml --ignore-splits --store x --patience 1s --budget-calls 1",
    ["--model", "--samples", "--campaign", "--ignore-splits", "--store", "--patience", "--budget-calls"]
  ],
  ["calibrate d.jsonl --judge j.md --of x", ["--of"]],
  ["score --scores s.csv --samples 2 --part train --patience 1s", ["--samples", "--part", "--patience"]],
  ["score --scores s.csv --cap 0.2 --threshold 4", ["--cap"]],
  [
    "score --questions q --answers a --cap 0.2 --threshold-from t.json --classes omission",
    ["--threshold-from", "--classes", "--cap"]
  ],
  ["score --labels l --verdicts v --compare a,b", ["--compare"]],
  ["store prune --corrupt --force", ["--force"]],
  ["score d.jsonl --judge j.md --split s.json --ignore-splits", ["--ignore-splits"]],
  ["data import jsonl s.jsonl --out o.jsonl --class omission --delimiter x", ["--delimiter"]],
  ["simulate --retry-after date --faults-at-most 3 --drip 5", ["--retry-after", "--faults-at-most", "--drip"]]
]

describe("a flag that would change nothing", () => {
  it.each(idle)("is refused: assize %s", async (line, flags) => {
    using folder = temporaryFolder()
    const { code, stderr } = await assizeHere(line.split(" "), { cwd: folder.path })
    assert.strictEqual(code, 2)
    for (const flag of flags) assert.match(stderr, new RegExp(`(^|\\s)${flag}: `), stderr)
  })
})
