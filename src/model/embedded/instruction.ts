import { remembered } from "./lru.ts"
import { sentences } from "./text/tokens.ts"
import type { Topic } from "./text/transcript.ts"

/** Ways of working that an instruction can ask for, beside the topics. */
export const methods = [
  "enumerate",
  "omissions",
  "additions",
  "partial",
  "paraphrase",
  "smallTalk",
  "importance",
  "decimals"
] as const
export type Method = (typeof methods)[number]
export type Skill = Topic | Method

/** What an instruction asks a reader to do. */
export interface InstructionReading {
  /** From 0 (not asked for) to 1 (asked for plainly). */
  readonly asked: (skill: Skill) => number
  /** Skills that it says to leave aside. */
  readonly suppressed: ReadonlySet<Skill>
  /** Below 0 for lenient wording, above for harsh, in steps of one word or phrase. */
  readonly harshness: number
  /** From 1 (clear and short) towards 0 (long or at odds with itself). */
  readonly clarity: number
}

/** Words by which a skill is asked for. Several different cues ask more plainly than one. */
const cues: Readonly<Record<Skill, ReadonlyArray<RegExp>>> = {
  enumerate: [
    /\b(?:list|enumerate|write down|note down|set out|draw up|inventory|itemi[sz]e)\b.{0,90}\b(?:facts?|statements?|points?|items?|findings?|content|everything|each|every|what was said)\b/,
    /\b(?:go|work|walk|read|run)\b.{0,25}\b(?:through|down)\b.{0,60}\b(?:transcript|list|consultation|turn|one by one|line)\b/,
    /\b(?:check|compare|look up|find|tick|match|verify|take)\b.{0,40}\b(?:each|every|one by one|in turn|item by item|one at a time)\b/,
    /\b(?:turn by turn|one by one|item by item|line by line|fact by fact|step by step)\b/,
    /\b(?:first|begin|start)\b.{0,80}\bthen\b.{0,60}\b(?:check|compare|look|find|search|decide)\b/
  ],
  omissions: [
    /\bomi(?:t|ts|tted|tting|ssions?)\b/,
    /\bmissing\b|\bis absent\b|\babsent from\b|\blacks?\b|\bgaps?\b/,
    /\b(?:left|leaves|leaving|leave) (?:\w+ )?out\b|\bdropped\b|\bdoes not (?:appear|contain|mention|record)\b/,
    /\bshould (?:be|have been) (?:in the note|recorded|included|written)\b|\bfails? to (?:record|mention|include)\b/
  ],
  additions: [
    /\b(?:unsupported|not supported|no support|without support)\b/,
    /\b(?:added|adds|addition|additions|invent\w*|fabricat\w*|made up|hallucinat\w*|made-up)\b/,
    /\b(?:contradict\w*|differs? from|distort\w*|altered|wrongly recorded|misstat\w*|misreport\w*|inaccura\w*|incorrect\w*)\b/,
    /\b(?:never said|was not said|not said|traced? (?:back )?to|nobody said|backed by|supported by)\b/
  ],
  partial: [
    /\b(?:passing|bare|brief|mere|vague|glancing) mentions?\b|\bmention(?:ed)? in passing\b/,
    /\b(?:partial\w*|partly|weaker|incomplete\w*|half[- ]stated|watered[- ]down|fragment\w*)\b/,
    /\b(?:hint|allusion|trace|related word|shared word|same word|topic)\b.{0,60}\b(?:not enough|is not|does not count|no substitute|insufficient)\b/,
    /\bin full\b|\bfull(?:y)? stated\b|\bits? (?:details?|specifics)\b|\bwith (?:all )?(?:its|their) details?\b/
  ],
  paraphrase: [
    /\bparaphras\w*|\breword\w*|\bsynonym\w*|\bshorthand\b|\babbreviat\w*/,
    /\b(?:different|other|own|clinical|medical|technical) (?:words?|wording|terms?|language|phras\w+)\b/,
    /\b(?:same|equivalent) (?:meaning|sense)\b|\bmeans the same\b|\blay (?:words?|terms?|language)\b/
  ],
  smallTalk: [
    /\bsmall talk\b|\bchit-?chat\b|\bpleasantr\w*|\bchat\b|\bgreetings?\b|\bbanter\b|\btangents?\b/,
    /\b(?:brevity|concise\w*|short note|brief note|style|layout|format(?:ting)?|spelling)\b/
  ],
  importance: [
    /\b(?:clinically|clinical) (?:important|importance|relevant|relevance|significan\w+|weight)\b/,
    /\b(?:weigh|weight|weighs|weighted|rank)\b|\bmatters? (?:most|clinically|more)\b|\bserious\w*\b|\bcould harm\b|\bpatient safety\b|\bnext clinician\b/
  ],
  decimals: [
    /\bdecimals?\b|\btenths?\b|\bfine(?:ly)?[- ]grain\w*|\bwhole (?:range|scale)\b|\bshare of\b|\bproportion\b|\bin proportion\b|\bfine steps\b/
  ],
  numbers: [
    /\b(?:numbers?|numeric\w*|figures?|values?|quantit\w+|measurements?|readings)\b/,
    /\b(?:doses?|dosages?|strengths?|units?|amounts?|vital signs?)\b/
  ],
  medicines: [
    /\b(?:medicines?|medications?|drugs?|tablets?|prescri\w+|over[- ]the[- ]counter|remed\w+)\b/,
    /\b(?:doses?|frequenc\w+|regimens?)\b/
  ],
  allergies: [/\ballerg\w*|\bintoleran\w*/, /\b(?:adverse|drug) reactions?\b|\breactions? to\b|\bcontraindication\w*/],
  negatives: [
    /\bnegatives?\b|\bnegat(?:ed|ion|ions)\b|\bpolarity\b/,
    /\b(?:denies|denied|denial\w*|ruled out|absence of|answered no|said no|says no|answers? (?:is |of )?"?no\b|not present|symptoms? that (?:was|were) absent)/
  ],
  sides: [
    /\b(?:left|right) (?:or|and|from|for|versus|\/) ?(?:left|right)\b|\bleft\/right\b|\blateralit\w+/,
    /\bsides?\b(?! effect)|\bbody part\b|\bsite\b/
  ],
  timing: [
    /\b(?:timing|durations?|dates?|onset|how long|when (?:it|they|things?) (?:began|started)|since when|time course|chronolog\w*)\b/,
    /\b(?:days, weeks|frequency|how often|timeline|intervals?|times)\b/
  ],
  safetyNet: [
    /\bsafety[- ]?net\w*|\bred[- ]flags?\b|\bwarning signs?\b/,
    /\b(?:when to (?:call|return|come back|seek)|return advice|what to do if|seek help|emergency|urgen\w+|come back)\b/
  ],
  plan: [
    /\b(?:follow[- ]?up|plans?|next steps?|referrals?|tests? ordered|arrangements?|agreed actions?)\b/,
    /\b(?:advice|advised|instructions to the patient|investigations?|review dates?|management)\b/
  ],
  findings: [
    /\b(?:examination|examined|findings?|signs|observations?|test results?|results?)\b/,
    /\b(?:vital signs?|measured|assessment|diagnos[ie]s)\b/
  ],
  symptoms: [
    /\b(?:symptoms?|complaints?|history|presenting)\b/,
    /\b(?:what the patient (?:reports?|says?|tells?|described?)|patient's (?:account|answers?|words|concerns?))\b/
  ],
  people: [
    /\bwho (?:said|says|did|reported)\b|\battribut\w+|\bspeakers?\b/,
    /\b(?:family|relatives?|carers?|another person|other people|household)\b/
  ],
  social: [
    /\b(?:social|occupation\w*|work(?! through| down| out)|home|living|lifestyle|circumstances|household)\b/,
    /\b(?:smoking|alcohol|context|carers?|travel|background)\b/
  ]
}

/** Cues that ask for completeness or truth as such: they give a direction, weakly. */
const directions: ReadonlyArray<readonly [Skill, RegExp]> = [
  ["omissions", /\b(?:complete\w*|thorough\w*|everything (?:important|relevant)|comprehensive\w*)\b/],
  ["additions", /\b(?:faithful\w*|accura\w+|correct\w*|true|truthful\w*|reliab\w+)\b/]
]
const directionStrength = 0.45

const harshWords =
  /\b(?:strict\w*|harsh\w*|severely|unforgiving|merciless\w*|ruthless\w*|rigorous\w*|tough|any doubt|in doubt|suspicious|sceptical|skeptical|zero tolerance|demanding|heavily)\b/g
const mildWords = /\b(?:lenient\w*|generous\w*|forgiving|charitabl\w*|benefit of the doubt|gentl[ey])\b/g

const leaveAside =
  /\b(?:ignor(?:e|ing)|disregard|leave aside|set aside|pay no attention|skip|do not|don't|never|need not|no need to|not asked to|not your (?:task|concern)|rather than|without regard)\b/
const leaveAsideNot =
  /\b(?:do not|don't|never) (?:ignore|overlook|miss|forget|skip|neglect|disregard|accept|let|rely|assume|stop|credit|treat|count|take|give credit|be satisfied)\b/
/** What such a sentence may be about without switching a reading skill off. */
const tolerances: ReadonlyArray<Skill> = ["paraphrase", "smallTalk"]

const comfortableLength = 2500
const dilutionLength = 6000

const skills = Object.keys(cues) as ReadonlyArray<Skill>

/** The skills that a lower-case sentence speaks of, and whether it says to leave them aside. */
const readSentence = (
  sentence: string
): { readonly hits: ReadonlyArray<readonly [Skill, number]>; readonly aside: boolean } => {
  const hits = skills.flatMap((skill) =>
    cues[skill].flatMap((cue, number) => (cue.test(sentence) ? [[skill, number] as const] : []))
  )
  if (!leaveAside.test(sentence) || leaveAsideNot.test(sentence)) return { hits, aside: false }
  const tolerant = hits.filter(([skill]) => tolerances.includes(skill))
  return tolerant.length > 0 ? { hits: tolerant, aside: false } : { hits, aside: true }
}

/** The skills that this one sentence says to leave aside. */
export const leftAsideBy = (sentence: string): ReadonlyArray<Skill> => {
  const { hits, aside } = readSentence(sentence.toLowerCase().replaceAll("’", "'"))
  return aside ? hits.map(([skill]) => skill) : []
}

const strengthOf = (matches: number) => (matches === 0 ? 0 : matches === 1 ? 0.7 : 1)

const read = (text: string): InstructionReading => {
  const matched = new Map<Skill, Set<number>>()
  const suppressed = new Set<Skill>()
  const weak = new Map<Skill, number>()
  const ask = (skill: Skill, cue: number) => matched.set(skill, (matched.get(skill) ?? new Set()).add(cue))
  for (const sentence of sentences(text.toLowerCase().replaceAll("’", "'"))) {
    const { hits, aside } = readSentence(sentence)
    if (!aside) for (const [skill, cue] of hits) ask(skill, cue)
    else for (const [skill] of hits) suppressed.add(skill)
    for (const [skill, cue] of directions)
      if (!leaveAside.test(sentence) && cue.test(sentence)) weak.set(skill, directionStrength)
  }
  const contradictions = [...suppressed].filter((skill) => (matched.get(skill)?.size ?? 0) > 0).length
  const harsh = text.toLowerCase().match(harshWords)?.length ?? 0
  const mild = text.toLowerCase().match(mildWords)?.length ?? 0
  const over = Math.max(0, text.length - comfortableLength)
  return {
    asked: (skill) => {
      const strength = Math.max(strengthOf(matched.get(skill)?.size ?? 0), weak.get(skill) ?? 0)
      return suppressed.has(skill) ? strength * 0.15 : strength
    },
    suppressed,
    harshness: harsh - mild,
    clarity: (1 / (1 + over / dilutionLength)) * 0.88 ** Math.min(3, contradictions + (harsh > 0 && mild > 0 ? 1 : 0))
  }
}

const instructionsKept = 128

export const readInstruction: (text: string) => InstructionReading = remembered(read, instructionsKept)
