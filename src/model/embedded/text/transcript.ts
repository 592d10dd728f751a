import { remembered } from "../lru.ts"
import { hashText } from "../noise.ts"
import type { Content } from "./content.ts"
import { contents } from "./content.ts"
import { sentences } from "./tokens.ts"

/** Kinds of content that an instruction can ask for by name. */
export const topics = [
  "numbers",
  "medicines",
  "allergies",
  "negatives",
  "sides",
  "timing",
  "safetyNet",
  "plan",
  "findings",
  "symptoms",
  "people",
  "social"
] as const
export type Topic = (typeof topics)[number]

/** One thing that was said: a sentence, or a question with the answer that gives it its meaning. */
export interface Statement {
  /** As spoken, for quoting. */
  readonly text: string
  readonly bySpeaker: "clinician" | "other"
  readonly contents: ReadonlyArray<Content>
  readonly topics: ReadonlySet<Topic>
  /** Summed weight of the contents. */
  readonly mass: number
  readonly hash: number
  /** Of a question with its answer, the two apart. */
  readonly exchange?: { readonly question: string; readonly answer: string }
}

export interface Transcript {
  readonly statements: ReadonlyArray<Statement>
  /** All keys and concepts spoken of, for asking whether a note's content was ever mentioned. */
  readonly vocabulary: ReadonlySet<string>
  /** Numbers with their units as `#20/mg`, sides with their body parts as `left/knee`. */
  readonly bound: ReadonlySet<string>
  /** By concept: whether it was ever affirmed, and ever denied. */
  readonly polarity: ReadonlyMap<string, { readonly affirmed: boolean; readonly denied: boolean }>
}

interface Turn {
  readonly speaker: "clinician" | "other"
  readonly sentences: ReadonlyArray<string>
}

const clinicianNames =
  /^(?:dr\b|doctor|gp\b|clinician|physician|nurse|pharmacist|paramedic|midwife|practitioner|provider|pa\b|np\b|therapist)/i

const turnsOf = (text: string): ReadonlyArray<Turn> =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const named = /^\s*\[?([\p{L}][\p{L}.' -]{0,40})\]?:\s+(.*)$/u.exec(line)
      return named === null
        ? { speaker: "other" as const, sentences: sentences(line) }
        : {
            speaker: clinicianNames.test(named[1]!) ? ("clinician" as const) : ("other" as const),
            sentences: sentences(named[2]!.replace(/\[[^\]]*\]/g, " "))
          }
    })

const refusal =
  /^(?:\W*(?:um+|uh+|er+|oh|well|so|yeah)\b\W*)*(?:no|nope|nah|never|none|not really|not at all|not that|nothing|neither|i (?:don't|haven't|didn't|can't|wouldn't)|he (?:hasn't|doesn't|isn't)|she (?:hasn't|doesn't|isn't))\b/i
const consent =
  /^(?:\W*(?:um+|uh+|er+|oh|well)\b\W*)*(?:yes|yeah|yep|yup|mm|mhm|uh-huh|i do|i have|i am|sure|a bit|a little|sometimes)\b/i

const safetyWords =
  /\b(?:999|911|111|a&e|e\.?r\.?|emergency|ambulance|call us|ring us|call me|ring me|come back|come straight|get seen|let (?:us|me) know|go to (?:the )?(?:hospital|a&e|er)|straight away|right away|same day)\b/i
const condition = /\bif\b|\bany(?:thing)? worse|\bunless\b|\bor else\b/i
const planWords =
  /\b(?:i'll|we'll|i'd like|i want|i'm going to|we're going to|i'd|let's|start|stop|refer|book|send|prescri\w+|take (?:it|one|two|them)|increase|reduce|switch|repeat|check|in (?:a|one|two|three|four|six|eight|twelve|\d+) (?:days?|weeks?|months?)|come back|follow.?up|appointment|blood test|x-?ray|scan)\b/i
const timeWords =
  /\b(?:ago|since|for (?:about )?(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+)|last (?:night|week|month|year|summer|winter)|yesterday|started|started on|every)\b/i
const allergyWords = /\ballerg|\bintoleran|\breaction\b|\banaphyla|brings? me out|hives?\b/i

const topicsOf = (text: string, speaker: Turn["speaker"], found: ReadonlyArray<Content>): ReadonlySet<Topic> => {
  const named = new Set<Topic>()
  let clinical = false
  for (const content of found) {
    if (content.kind === "number" && content.weight >= 1) named.add("numbers")
    if (content.kind === "number" && content.of !== undefined && /minute|hour|day|week|month|year/.test(content.of))
      named.add("timing")
    if (content.kind === "medicine") named.add("medicines")
    if (content.kind === "side") named.add("sides")
    if (content.kind === "person") named.add("people")
    if (content.kind === "social") named.add("social")
    if (content.kind === "clinical") clinical = true
    if (content.negated && (content.kind === "clinical" || content.kind === "medicine")) named.add("negatives")
  }
  if (allergyWords.test(text)) named.add("allergies")
  if (timeWords.test(text)) named.add("timing")
  if (speaker === "clinician") {
    if (safetyWords.test(text) && (condition.test(text) || /\b(?:999|911|111)\b/.test(text))) named.add("safetyNet")
    else if (planWords.test(text)) named.add("plan")
    else if (clinical && !text.includes("?")) named.add("findings")
  } else if (clinical) named.add("symptoms")
  if (clinical && text.includes("?")) named.add("symptoms")
  return named
}

const merged = (lists: ReadonlyArray<ReadonlyArray<Content>>): ReadonlyArray<Content> => {
  const byKey = new Map<string, Content>()
  for (const content of lists.flat()) {
    const id = content.of === undefined ? content.key : `${content.key}/${content.of}`
    if (!byKey.has(id)) byKey.set(id, content)
  }
  return [...byKey.values()]
}

export const statement = (text: string, speaker: Turn["speaker"], found: ReadonlyArray<Content>): Statement => ({
  text,
  bySpeaker: speaker,
  contents: found,
  topics: topicsOf(text, speaker, found),
  mass: found.reduce((sum, content) => sum + content.weight, 0),
  hash: hashText(text)
})

/** What a question only asks about counts less than what is said. */
const askedWeight = 0.5

const faint = (content: Content): Content => ({ ...content, weight: content.weight * askedWeight })

/** The statements of a clinician's open questions and the first sentence that answers them. */
export const answered = (questions: ReadonlyArray<string>, answer: string): ReadonlyArray<Statement> => {
  const said = contents(answer, "speech")
  const no = refusal.test(answer)
  const yes = !no && consent.test(answer)
  return questions.map((question, index) => {
    const last = index === questions.length - 1
    const asked = contents(question, "speech")
    const own = last ? said : []
    // "No, legs are fine" denies what was asked; its own words keep their own sense.
    const meant = no
      ? asked.map((content) =>
          content.kind === "clinical" || content.kind === "medicine" ? { ...content, negated: true } : content
        )
      : yes
        ? asked
        : asked.map(faint)
    return {
      ...statement(last ? `${question} ${answer}` : question, "other", merged([own, meant])),
      exchange: { question, answer }
    }
  })
}

const parse = (text: string): Transcript => {
  const statements: Array<Statement> = []
  let open: Array<string> = []
  for (const turn of turnsOf(text)) {
    const [first, ...others] = turn.sentences
    if (first === undefined) continue
    let rest: ReadonlyArray<string> = turn.sentences
    if (turn.speaker === "other" && open.length > 0) {
      statements.push(
        ...answered(
          open,
          others.length > 0 && first.length < 12 && !refusal.test(first) ? `${first} ${others[0]}` : first
        )
      )
      rest = others.length > 0 && first.length < 12 && !refusal.test(first) ? others.slice(1) : others
      open = []
    }
    const asksNow: Array<string> = []
    for (const sentence of rest) {
      if (turn.speaker === "clinician" && sentence.endsWith("?")) asksNow.push(sentence)
      else {
        const found = contents(sentence, "speech")
        if (found.length > 0) statements.push(statement(sentence, turn.speaker, found))
      }
    }
    if (turn.speaker === "clinician") open = asksNow
  }
  return { statements, ...index(statements) }
}

const index = (statements: ReadonlyArray<Statement>) => {
  const vocabulary = new Set<string>()
  const bound = new Set<string>()
  const polarity = new Map<string, { affirmed: boolean; denied: boolean }>()
  for (const { contents: found } of statements) {
    for (const content of found) {
      vocabulary.add(content.key).add(content.concept)
      if (content.of !== undefined) bound.add(`${content.key}/${content.of}`)
      const known = polarity.get(content.concept) ?? { affirmed: false, denied: false }
      if (content.negated) known.denied = true
      else known.affirmed = true
      polarity.set(content.concept, known)
    }
  }
  return { vocabulary, bound, polarity }
}

const transcriptsKept = 64

export const readTranscript: (text: string) => Transcript = remembered(parse, transcriptsKept)
