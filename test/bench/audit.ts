/** The audit of 200 candidates of 6,000 characters on 500 instances, with the texts of 200 consultations, part by part. */
import type { AuditCandidate, AuditInput } from "../../src/audit/AuditInput.ts"
import { auditOf } from "../../src/audit/auditOf.ts"
import { indexOfPart } from "../../src/audit/textIndex.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import { inputOf, outcomesOf, tableOf } from "../audit/support.ts"

const next = mulberry32(11)
const vocabulary = Array.from({ length: 4000 }, (_, at) => `word${at.toString(36)}`)
const text = (words: number): string =>
  Array.from(
    { length: words },
    (_, at) => `${vocabulary[(next() * vocabulary.length) | 0]}${at % 15 === 14 ? "." : ""}`
  ).join(" ")

const inputFor = (size: number, consultations: number, pairs: number): AuditInput => {
  const table = tableOf(consultations, pairs)
  const paragraphs = Array.from({ length: 400 }, () => text(60))
  const candidates = Array.from({ length: size }, (_, at): AuditCandidate => {
    const first = (next() * 380) | 0
    return {
      id: `c${at}`,
      name: `c${at}`,
      origin: at < 3 ? "seed" : "reflection",
      parents: at < 3 ? [] : [`c${(next() * at) | 0}`],
      iteration: at,
      instructions: { judge: paragraphs.slice(first, first + 14).join("\n\n") },
      outcomes: outcomesOf(table, (id) => (id.endsWith("clean") ? 8 : 7.5) + Math.round(next() * 20) / 10)
    }
  })
  const part = (name: "train" | "acceptance") =>
    indexOfPart(
      name,
      Array.from({ length: 100 }, (_, at) => ({
        id: `${name}${at}`,
        transcript: text(1500),
        notes: Array.from({ length: 6 }, (_, note) => ({ id: `n${note}`, text: text(300) }))
      }))
    )
  return {
    ...inputOf(table, candidates),
    indices: [part("train"), part("acceptance")],
    settings: { seed: 11, resamples: 2000, cap: 0.1 }
  }
}

const timed = (input: AuditInput): number => {
  // CPU time, since the machine may have other work.
  const started = process.cpuUsage()
  auditOf(input)
  const { system, user } = process.cpuUsage(started)
  return (user + system) / 1000
}

const small = timed(inputFor(20, 50, 9))
const whole = timed(inputFor(200, 50, 9))
console.log(`20 candidates × 500 instances: ${(small / 1000).toFixed(2)} s`)
console.log(
  `200 candidates × 500 instances: ${(whole / 1000).toFixed(2)} s of CPU, ${(whole / small).toFixed(1)} times as long`
)
