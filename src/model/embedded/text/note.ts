import { remembered } from "../lru.ts"
import type { Content } from "./content.ts"
import { contents } from "./content.ts"
import { sentences } from "./tokens.ts"

export interface NoteSentence {
  readonly text: string
  readonly contents: ReadonlyArray<Content>
}

/** Where a content of the note stands. */
export interface Mention {
  readonly sentence: number
  readonly negated: boolean
  readonly of: string | undefined
  /** Whether the very word stands there; otherwise another word for the same concept. */
  readonly exact: boolean
}

export interface Note {
  readonly sentences: ReadonlyArray<NoteSentence>
  /** Mentions by key and by concept, exact ones first. */
  readonly mentions: ReadonlyMap<string, ReadonlyArray<Mention>>
}

/** Clinical shorthand for durations: 3/7 is three days, 2/52 two weeks, 6/12 six months. */
export const spelled = (text: string): string =>
  text
    .replace(
      /\b(\d+)(?:-(\d+))?\/7\b/g,
      (_, from: string, to?: string) => `${to === undefined ? from : `${from} ${to}`} days`
    )
    .replace(
      /\b(\d+)(?:-(\d+))?\/52\b/g,
      (_, from: string, to?: string) => `${to === undefined ? from : `${from} ${to}`} weeks`
    )
    .replace(
      /\b(\d+)(?:-(\d+))?\/12\b/g,
      (_, from: string, to?: string) => `${to === undefined ? from : `${from} ${to}`} months`
    )

const parse = (text: string): Note => {
  const found = sentences(spelled(text))
    .map((sentence) => ({ text: sentence, contents: contents(sentence, "note") }))
    .filter((sentence) => sentence.contents.length > 0 && !/^[\d.)\s-]+$/.test(sentence.text))
  const mentions = new Map<string, Array<Mention>>()
  const add = (name: string, mention: Mention) => {
    const list = mentions.get(name)
    if (list === undefined) mentions.set(name, [mention])
    else list.push(mention)
  }
  for (const [sentence, { contents: inside }] of found.entries()) {
    for (const { key, concept, negated, of } of inside) {
      add(key, { sentence, negated, of, exact: true })
      if (concept !== key) add(concept, { sentence, negated, of, exact: false })
    }
  }
  return { sentences: found, mentions }
}

const notesKept = 512

export const readNote: (text: string) => Note = remembered(parse, notesKept)
