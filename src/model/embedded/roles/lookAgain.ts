import { drawHashed, hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { askedFacts, questionWith, readFacts } from "../stages/blocks.ts"
import { readFact } from "../stages/facts.ts"
import { bestPassage } from "../stages/lookUp.ts"
import { listReading } from "../stages/reading.ts"
import { listText } from "../stages/replyShape.ts"

const aboutSlip = hashText("second look slip")

/** Share of a fact's weight in one passage that is good enough; less for a reader who is told to accept other words. */
const goodEnough = 0.5
const tolerantBy = 0.12
const strictBy = 0.12

/** How often the quote is the fact's own words and not the note's. */
const inventedRate = 0.03

/** Looks once more for facts that were not found, and quotes where they stand. */
export const lookAgain: EmbeddedRole = {
  name: "look again",
  answer(messages, seed) {
    const prompt = questionWith(messages, ["facts", "note"], /"quote": "/)
    if (prompt === undefined || prompt.contract.includes('"verdict"')) return undefined
    const { attention } = listReading(prompt.instruction)
    const needed = goodEnough - tolerantBy * attention.tolerance + strictBy * attention.strictOnPartial
    const rows = askedFacts(messages, readFacts(prompt.blocks.facts!)).map(({ id, text }) => {
      const fact = readFact(text)
      if (drawHashed(seed, fact.hash ^ aboutSlip) < inventedRate) return { id, quote: fact.text }
      const best = bestPassage(fact, prompt.blocks.note!)
      return { id, quote: best !== undefined && best.share >= needed ? best.text : "" }
    })
    return listText("facts", rows, seed, `${hashText(prompt.instruction)}/${messages.length}`)
  }
}
