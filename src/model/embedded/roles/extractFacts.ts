import { notices } from "../judge/attention.ts"
import { isChatter } from "../judge/omissions.ts"
import { drawHashed, hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { questionWith } from "../stages/blocks.ts"
import { factText } from "../stages/facts.ts"
import { listReading } from "../stages/reading.ts"
import { listText } from "../stages/replyShape.ts"
import { readTranscript } from "../text/transcript.ts"

const about = hashText("extract")

/** A list longer than this serves nobody; the statements that say least are left out first. */
const mostFacts = 120

/** How much of what is mere chat is listed by a reader who was not told to leave it out. */
const chatterListed = 0.4

/** Lists the statements of a transcript, as many as the instruction makes it notice. */
export const extractFacts: EmbeddedRole = {
  name: "extract facts",
  answer(messages, seed) {
    const prompt = questionWith(messages, ["transcript"], /"facts": \["/)
    if (prompt === undefined) return undefined
    const { attention } = listReading(prompt.instruction)
    const noticed = readTranscript(prompt.blocks.transcript!).statements.filter(
      (statement) =>
        statement.mass > 0 &&
        notices(seed, statement.hash ^ about, attention.toStatement(statement.topics)) &&
        (!isChatter(statement) ||
          drawHashed(seed, statement.hash ^ about) < chatterListed * (1 - attention.ignoresSmallTalk))
    )
    const least = noticed.map(({ mass }) => mass).sort((a, b) => b - a)[mostFacts - 1] ?? 0
    const facts = [...new Set(noticed.filter(({ mass }) => mass >= least).map(factText))].slice(0, mostFacts)
    return listText("facts", facts, seed, `${hashText(prompt.instruction)}/${messages.length}`)
  }
}
