/**
 * What the live view costs: processor time of a pool of 200 candidates on 1,000 notes at 50 events a second, with each
 * pane of the view on a terminal and without. Needs the build:
 * `npm run build && node test/bench/terminal.ts [SECONDS a pane] [COLUMNSxROWS]`.
 */
import { EventEmitter } from "node:events"
import { Writable } from "node:stream"
import { candidateId } from "../../src/domain/Candidate.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { makeProgress } from "../../src/judge/Progress.ts"
import { figuresOf } from "../../src/optimise/figures.ts"
import { indexTable } from "../../src/optimise/itemTable.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { wholeNoteScale } from "../../src/optimise/rewards.ts"
import { panes, paneTitle } from "../../src/terminal/panes.ts"
import { RunLog } from "../../src/terminal/RunLog.ts"
import { viewOf } from "../../src/terminal/RunView.ts"
import { Pace } from "../../src/terminal/timeLeft.ts"

process.env["NODE_ENV"] = "production"
const built = new URL("../../dist/terminal/LiveRun.js", import.meta.url).href
const { mount } = (await import(built)) as typeof import("../../src/terminal/LiveRun.tsx")

const seconds = Number(process.argv[2] ?? 6)
const [width = 120, height = 40] = (process.argv[3] ?? "120x40").split("x").map(Number)
const eventsPerSecond = 50
const members = 200
const pairs = 500

const table = {
  items: Array.from({ length: pairs * 2 }, (_, at) => ({ id: `n${at}`, consultation: `v${Math.floor(at / 20)}` })),
  clean: Array.from({ length: pairs }, (_, at) => `n${2 * at + 1}`),
  pairs: Array.from({ length: pairs }, (_, at) => ({
    id: `p${at}`,
    flawed: `n${2 * at}`,
    clean: `n${2 * at + 1}`,
    class: "omission" as const
  })),
  lone: []
}
const objective = { primary: { measure: "paired-discrimination" } } as const
const next = mulberry32(1)
const state = new RunState()
const embedded = { provider: "embedded", model: "lexical-1" }
state.apply({
  _tag: "started",
  settings: {
    campaign: "bench",
    models: { judge: embedded, reflection: embedded },
    judge: { design: "whole-note-score", samples: 1 },
    objective,
    search: { minibatch: { notes: 12, consultations: 4 }, maxInstructionLength: 6000, seed: 1 },
    split: "",
    prompt: "",
    seeds: []
  },
  acceptance: table
})
const index = indexTable(table)
for (let at = 0; at < members; at++) {
  const instructions = { judge: `instruction ${at} ${"word ".repeat(800)}` }
  const id = candidateId(instructions)
  const outcomes = Object.fromEntries(
    table.items.map(({ id }) => [id, { _tag: "scored", score: Math.floor(next() * 1e6) / 1e5 } as const])
  )
  const parents = at < 3 ? [] : [state.members[Math.floor(next() * state.members.length)]!.candidate.id]
  state.apply({
    _tag: "candidate",
    candidate: { id, name: `c${at}`, origin: at < 3 ? "seed" : "reflection", parents, iteration: at, instructions }
  })
  state.apply({
    _tag: "evaluated",
    candidate: id,
    outcomes,
    figures: figuresOf(index, outcomes, objective, wholeNoteScale)
  })
}

const progress = makeProgress()
let iteration = 0
const parent = state.members[0]!.candidate.id
const log = new RunLog()
const happened = (event: RunEvent) => {
  state.apply(event)
  log.seen(event, state, new Date())
}
const drive = () => {
  Object.assign(progress, { label: `iteration ${iteration}, child`, done: (progress.done + 1) % 120, total: 120 })
  progress.scored++
  if (progress.done % 4 === 0) {
    iteration++
    happened({ _tag: "iteration", iteration, parent, module: "judge", minibatch: [] })
  } else if (progress.done % 4 === 3) {
    happened({
      _tag: "decided",
      iteration,
      parent,
      accepted: iteration % 5 === 0,
      reason: iteration % 5 === 0 ? null : "not-better",
      detail: "mean reward 0.600 against the parent's 0.700 on the same 12 notes",
      parentReward: 0.7,
      childReward: 0.6,
      compared: 12
    })
  }
}

const start = performance.now()
const pace = new Pace()
let reads = 0
let readMs = 0
const read = () => {
  const before = performance.now()
  const usage = {
    calls: progress.scored,
    tokens: progress.scored * 900,
    usd: progress.scored * 0.001,
    unpriced: 0,
    seconds: (performance.now() - start) / 1000
  }
  pace.observe(state.iteration, usage)
  const view = viewOf(state, progress, {
    runId: "bench",
    iterations: 5000,
    limits: { usd: 20, calls: 9999 },
    usage,
    log,
    pace
  })
  readMs += performance.now() - before
  reads++
  return view
}

let bytes = 0
const stdout = Object.assign(
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      done()
    }
  }),
  { columns: width, rows: height, isTTY: true }
)
const typed: Array<string> = []
const stdin = Object.assign(new EventEmitter(), {
  isTTY: true,
  setEncoding() {},
  setRawMode() {},
  resume() {},
  pause() {},
  ref() {},
  unref() {},
  read: (): string | null => typed.shift() ?? null
})
const type = (key: string) => {
  typed.push(key)
  stdin.emit("readable")
}

/** Processor seconds of driving the run for some time. */
const measure = (forSeconds: number) =>
  new Promise<number>((resolve) => {
    const before = process.cpuUsage()
    const timer = setInterval(drive, 1000 / eventsPerSecond)
    setTimeout(() => {
      clearInterval(timer)
      const { system, user } = process.cpuUsage(before)
      resolve((system + user) / 1e6 / forSeconds)
    }, forSeconds * 1000)
  })

await measure(1)
const without = await measure(seconds)
const idle = { pause() {}, resume() {}, stopAfter() {}, quit() {}, quitNow() {} }
const view = mount(
  { read, controls: idle, colour: true },
  {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: stdin as unknown as NodeJS.ReadStream,
    interactive: true
  }
)
const percent = (share: number) => `${(share * 100).toFixed(2)} %`.padStart(7)
// The view keeps the console to itself while it is shown.
const found = [
  `live view at ${width} × ${height}, ${members} candidates × ${table.items.length} notes, ${eventsPerSecond} events a second, ${seconds} s a pane; at most 3 % of a core wanted`,
  `  without      ${percent(without)}`
]
for (const [at, pane] of panes.entries()) {
  type(String(at + 1))
  await measure(1)
  bytes = 0
  reads = 0
  readMs = 0
  const withView = await measure(seconds)
  found.push(
    `  ${paneTitle[pane].padEnd(12)} ${percent(withView - without)} more; ${(reads / seconds).toFixed(1)} views a second, ${(readMs / reads).toFixed(3)} ms each; ${(bytes / seconds / 1024).toFixed(1)} KiB/s written`
  )
}
await view.unmount()
console.log(found.join("\n"))
process.exit(0)
