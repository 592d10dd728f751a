import { isChatter } from "../judge/omissions.ts"
import { drawHashed, hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { askedFacts, questionWith, readFacts } from "../stages/blocks.ts"
import { readFact } from "../stages/facts.ts"
import { listReading } from "../stages/reading.ts"
import { listText } from "../stages/replyShape.ts"
import type { Statement, Topic, Transcript } from "../text/transcript.ts"
import { readTranscript } from "../text/transcript.ts"

const aboutSupport = hashText("audit support")
const aboutRepeat = hashText("audit repeat")
const aboutSeverity = hashText("audit severity")

/** Share of a fact's weight that the transcript never speaks of. */
const foreignShare = ({ contents, mass }: Statement, { vocabulary }: Transcript): number =>
  mass === 0
    ? 0
    : contents.reduce(
        (sum, { concept, key, weight }) => sum + (vocabulary.has(key) || vocabulary.has(concept) ? 0 : weight),
        0
      ) / mass
const foreign = 0.45

/** Share of a fact's weight that an earlier fact has, too. */
const sharedWith = (fact: Statement, earlier: Statement): number => {
  const held = new Set(earlier.contents.map(({ concept, negated, of }) => `${concept}/${of ?? ""}/${negated}`))
  const shared = fact.contents.reduce(
    (sum, { concept, negated, of, weight }) => sum + (held.has(`${concept}/${of ?? ""}/${negated}`) ? weight : 0),
    0
  )
  return fact.mass === 0 ? 0 : shared / fact.mass
}
const repeated = 0.95

const grave: ReadonlySet<Topic> = new Set(["allergies", "safetyNet", "medicines"])
const slight: ReadonlySet<Topic> = new Set(["social", "people", "timing"])

type Severity = "critical" | "supporting" | "peripheral"

/** What a reader who knows kinds of words, and no medicine, holds for serious. */
const severityOf = (fact: Statement): Severity => {
  if (isChatter(fact)) return "peripheral"
  const topics = [...fact.topics]
  if (topics.some((topic) => grave.has(topic))) return "critical"
  return topics.every((topic) => slight.has(topic)) ? "peripheral" : "supporting"
}

/** How often a reader tells grades apart who was not told how; being told adds the rest. */
const unaskedJudgement = 0.5

/** Grades each listed fact, and drops what the transcript does not bear out and what was listed already. */
export const auditFacts: EmbeddedRole = {
  name: "audit facts",
  answer(messages, seed) {
    const prompt = questionWith(messages, ["transcript", "facts"], /\bunsupported\b/)
    if (prompt === undefined) return undefined
    const { attention, reading } = listReading(prompt.instruction)
    const transcript = readTranscript(prompt.blocks.transcript!)
    const facts = readFacts(prompt.blocks.facts!)
    const discerning = unaskedJudgement + (1 - unaskedJudgement) * attention.weighsImportance
    const vigilant = 0.4 + 0.6 * Math.max(reading.asked("additions"), attention.care)
    const asked = new Set(askedFacts(messages, facts))
    const earlier: Array<Statement> = []
    const rows = facts.map((fact) => {
      const read = readFact(fact.text)
      const draws = (kind: number) => drawHashed(seed, hashText(fact.text) ^ kind)
      const grade =
        foreignShare(read, transcript) >= foreign && draws(aboutSupport) < vigilant
          ? "unsupported"
          : earlier.some((before) => sharedWith(read, before) >= repeated) && draws(aboutRepeat) < vigilant
            ? "duplicate"
            : draws(aboutSeverity) < discerning
              ? severityOf(read)
              : "supporting"
      earlier.push(read)
      return { fact, row: { id: fact.id, grade } }
    })
    return listText(
      "facts",
      rows.filter(({ fact }) => asked.has(fact)).map(({ row }) => row),
      seed,
      `${hashText(prompt.instruction)}/${messages.length}`
    )
  }
}
