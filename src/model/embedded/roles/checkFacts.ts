import { coverOf } from "../judge/omissions.ts"
import { drawHashed, hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { askedFacts, questionWith, readFacts } from "../stages/blocks.ts"
import { readFact } from "../stages/facts.ts"
import { bestPassage } from "../stages/lookUp.ts"
import { listReading } from "../stages/reading.ts"
import { listText } from "../stages/replyShape.ts"
import { type Note, readNote } from "../text/note.ts"
import type { Statement } from "../text/transcript.ts"

const about = hashText("check")
const aboutEdge = hashText("check edge")
const aboutSlip = hashText("check slip")

/** The chance to look a fact up, at the least: it has been asked about by name. */
const leastCare = 0.7
/** How much of what is overlooked is chance; the rest is a habit. */
const chance = 0.004

/** Shares of a fact's weight from which on it counts as there in full, or in part. */
const fullFrom = 0.6
const partFrom = 0.3
/** How far the edges between grades waver for a reader who goes by impression. */
const wavering = 0.012
/** Which other words a reader knows is the reader's own, and the same in every reading. */
const everyReading = 1

/** How often an id is left out of the answer. */
const leftOutRate = 0.0003

const aboutDetail = hashText("check detail")

/** Whether the note lacks a number or a side that is part of the fact, wherever it may stand. */
const lacksDetail = (fact: Statement, note: Note): boolean =>
  fact.contents.some(
    ({ key, kind, weight }) =>
      ((kind === "number" && weight >= 1) || kind === "side") && (note.mentions.get(key) ?? []).length === 0
  )

/** Looks each listed fact up in the note. */
export const checkFacts: EmbeddedRole = {
  name: "check facts",
  answer(messages, seed) {
    const prompt = questionWith(messages, ["transcript", "facts", "note"], /"verdicts": \[/)
    if (prompt === undefined) return undefined
    const { attention, reading } = listReading(prompt.instruction)
    // How far a detail that is missing is held against a fact that is there.
    const exacting = Math.max(attention.strictOnPartial, reading.asked("numbers") * reading.clarity)
    const inThree = /"partial"/.test(prompt.contract)
    const note = readNote(prompt.blocks.note!)
    const rows = askedFacts(messages, readFacts(prompt.blocks.facts!)).flatMap(({ id, text }) => {
      const fact = readFact(text)
      const draws = (kind: number) => drawHashed(seed, fact.hash ^ kind)
      if (draws(aboutSlip ^ messages.length) < leftOutRate) return []
      const care = leastCare + (1 - leastCare) * attention.toStatement(fact.topics)
      // What is not looked up is taken for granted.
      const looksUp = drawHashed(everyReading, fact.hash ^ about) + chance * (draws(about) - 0.5) < care
      const cover = looksUp ? coverOf(fact, note, attention, everyReading) : 1
      const edge = wavering * (1 - attention.care) * (draws(aboutEdge) - 0.5)
      let grade: "full" | "partial" | "absent" =
        cover >= fullFrom + edge ? "full" : cover >= partFrom + edge ? "partial" : "absent"
      const minds = drawHashed(everyReading, fact.hash ^ aboutDetail) < exacting
      if (grade === "full" && looksUp && minds && lacksDetail(fact, note)) grade = "partial"
      const verdict = inThree
        ? grade
        : grade === "full" || (grade === "partial" && cover >= (fullFrom + partFrom) / 2)
          ? "present"
          : "absent"
      const quote = verdict === "absent" ? "" : (bestPassage(fact, prompt.blocks.note!)?.text ?? "")
      return [{ id, quote, verdict }]
    })
    return listText("verdicts", rows, seed, `${hashText(prompt.instruction)}/${messages.length}`)
  }
}
