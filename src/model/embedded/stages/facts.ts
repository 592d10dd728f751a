import { remembered } from "../lru.ts"
import { contents } from "../text/content.ts"
import { spelled } from "../text/note.ts"
import { answered, type Statement, statement } from "../text/transcript.ts"

const speakers = { clinician: "The clinician said", other: "It was said" } as const

const oneLine = (text: string) => text.replace(/\s+/g, " ").replaceAll('"', "'").trim()

/** A statement as a fact that stands by itself: who said it, or the question with its answer. */
export const factText = ({ bySpeaker, exchange, text }: Statement): string =>
  exchange === undefined
    ? `${speakers[bySpeaker]}: "${oneLine(text)}"`
    : `Asked "${oneLine(exchange.question)}", answered "${oneLine(exchange.answer)}"`

const exchangeText = /^Asked "([^"]*)", answered "([^"]*)"$/
const saidText = /^(The clinician said|It was said): "([^"]*)"$/

const read = (text: string): Statement => {
  const [, question, answer] = exchangeText.exec(text) ?? []
  if (question !== undefined && answer !== undefined) return answered([question], answer)[0]!
  const [, speaker, words] = saidText.exec(text) ?? []
  if (words !== undefined)
    return statement(words, speaker === speakers.clinician ? "clinician" : "other", contents(words, "speech"))
  return statement(text, "other", contents(spelled(text), "note"))
}

const factsKept = 4096

/** A fact as this reader understands it: its own words of facts, or another writer's in the manner of a note. */
export const readFact: (text: string) => Statement = remembered(read, factsKept)
