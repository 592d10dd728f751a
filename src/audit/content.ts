import type { SpecificContent } from "./Audit.ts"
import type { AuditCandidate } from "./AuditInput.ts"
import { placeOf } from "./place.ts"

interface Rule {
  readonly kind: SpecificContent["kind"]
  readonly pattern: RegExp
  readonly why: string
}

const number = "\\d+(?:[.,]\\d+)?"
const scored = "(?:scor\\w*|rat(?:e|es|ed|ing)|marks?|points?)"

const rules: ReadonlyArray<Rule> = [
  {
    kind: "instance",
    pattern:
      /\b(?:the|this|that) (?:patient|man|woman|boy|girl|child|baby|gentleman|lady|mother|father) (?:with|who (?:has|had|is|was|takes|took|said|reported|denied)|on|from|aged)\b[^.\n]{0,60}/giu,
    why: "speaks of one patient"
  },
  { kind: "instance", pattern: /\b\d{1,3}[- ]years?[- ]old\b/giu, why: "gives the age of one patient" },
  {
    kind: "instance",
    pattern: /\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\.?[ \t]+\p{Lu}\p{Ll}[\p{L}'’-]*/gu,
    why: "names a person"
  },
  {
    kind: "instance",
    pattern: /\bin (?:this|that|the) (?:case|example|instance) (?:of|above|where|shown|with)\b[^.\n]{0,60}/giu,
    why: "speaks of one instance"
  },
  {
    kind: "instance",
    pattern: /\b(?:note|trace|consultation|example) [A-Z]\d{1,2}\b/gu,
    why: "names a note of the reflection prompt"
  },
  {
    kind: "placeholder",
    pattern:
      /\{\{\s*[\w.-]*\s*\}\}|<\/?(?:instruction|transcript|note|facts|criterion)>|<<<\s*INSTRUCTION|INSTRUCTION\s*>>>|\$\{\w+\}|\[(?:insert|your|todo|tbd|fill)[^\]\n]{0,40}\]/giu,
    why: "is a slot or a tag, which the judge reads as text"
  },
  {
    kind: "contract",
    pattern: /\bJSON\b|["'`](?:score|reason)["'`]\s*:/gu,
    why: "says how to answer, which the contract does"
  },
  {
    kind: "contract",
    pattern: new RegExp(
      `\\b(?:scale|${scored}|range)\\b[^.\\n]{0,30}?\\b(?:0|zero|1|one)\\s*(?:to|and|through|[-–—])\\s*(?:5|five|10|ten|100)\\b`,
      "giu"
    ),
    why: "gives the scale, which the contract does"
  },
  {
    kind: "threshold",
    pattern: new RegExp(
      `\\b(?:${scored}|flag\\w*|give|assign|cap\\w*|thresholds?|cut-?offs?)\\b[^.\\n]{0,50}?(?:\\b(?:below|under|beneath|above|over|at most|at least|no (?:more|less|higher|lower) than|(?:less|more|greater|higher|lower) than|up to|capped at|at or (?:below|above)|equal to)|[<>≤≥]=?)\\s*${number}(?!\\s*(?:%|mg|hours?|days?|weeks?|months?|years?))`,
      "giu"
    ),
    why: "hard-codes a score to decide by; the threshold is chosen afterwards"
  },
  {
    kind: "threshold",
    pattern: new RegExp(`\\b${number}\\s*(?:/|out of)\\s*10\\b(?!\\s*0)`, "giu"),
    why: "hard-codes a score"
  },
  {
    kind: "threshold",
    pattern: new RegExp(
      `\\b(?:deduct|subtract|dock|lose|loses|take off|minus)\\b[^.\\n]{0,20}?\\b${number}\\s*(?:points?|marks?)?\\b`,
      "giu"
    ),
    why: "hard-codes a deduction"
  }
]

/** Ids that could be ordinary words say nothing: an id counts if it has a digit, or is made of several parts. */
const isTelling = (id: string): boolean => (/\d/.test(id) && id.length >= 4) || (/[-_/|:]/.test(id) && id.length >= 8)

interface Hit {
  readonly kind: SpecificContent["kind"]
  readonly why: string
  readonly start: number
  readonly end: number
}

const idsIn = (text: string, ids: ReadonlyMap<string, string>): ReadonlyArray<Hit> => {
  const hits: Array<Hit> = []
  for (const [id, what] of ids) {
    if (!isTelling(id)) continue
    for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + id.length)) {
      const [before, after] = [text[at - 1] ?? " ", text[at + id.length] ?? " "]
      if (/[\p{L}\p{N}]/u.test(before) || /[\p{L}\p{N}]/u.test(after)) continue
      hits.push({ kind: "id", why: `is the id of a ${what}`, start: at, end: at + id.length })
    }
  }
  return hits
}

/** Six words in a row of the fixed prompt. */
const contractWords = 6
const wordPattern = /[\p{L}\p{N}]+/gu

const contractIn = (text: string, contract: ReadonlySet<string>): ReadonlyArray<Hit> => {
  const words = [...text.matchAll(wordPattern)]
  const hits: Array<Hit> = []
  for (let first = 0; first + contractWords <= words.length; first++) {
    const some = words.slice(first, first + contractWords)
    if (!contract.has(some.map(([word]) => word.toLowerCase()).join(" "))) continue
    const [start, last] = [some[0]!.index, some.at(-1)!]
    const end = last.index + last[0].length
    const before = hits.at(-1)
    if (before !== undefined && before.end > start) hits[hits.length - 1] = { ...before, end }
    else hits.push({ kind: "contract", why: "says the fixed prompt again", start, end })
  }
  return hits
}

const runsOf = (text: string): ReadonlySet<string> => {
  const words = (text.toLowerCase().match(wordPattern) ?? []) as ReadonlyArray<string>
  return new Set(
    words
      .slice(0, Math.max(0, words.length - contractWords + 1))
      .map((_, at) => words.slice(at, at + contractWords).join(" "))
  )
}

export interface ContentInput {
  readonly candidate: AuditCandidate
  readonly seedText: string
  readonly fixed: { readonly preamble: string; readonly contract: string }
  /** Ids of the data, and what each is the id of. */
  readonly ids: ReadonlyMap<string, string>
}

/** What a general instruction should not hold: see `SpecificContent`. Found by patterns; a reader decides. Method §7.4. */
export const contentOf = ({ candidate, fixed, ids, seedText }: ContentInput): ReadonlyArray<SpecificContent> => {
  const contract = runsOf(`${fixed.preamble}\n${fixed.contract}`)
  return Object.entries(candidate.instructions).flatMap(([module, text]) => {
    const hits: Array<Hit> = []
    const add = (hit: Hit) => {
      if (!hits.some((one) => one.kind === hit.kind && one.start < hit.end && hit.start < one.end)) hits.push(hit)
    }
    for (const { kind, pattern, why } of rules)
      for (const match of text.matchAll(pattern))
        add({ kind, why, start: match.index, end: match.index + match[0].trimEnd().length })
    for (const hit of [...contractIn(text, contract), ...idsIn(text, ids)]) add(hit)
    return hits
      .sort((a, b) => a.start - b.start)
      .map(({ end, kind, start, why }): SpecificContent => {
        const found = text.slice(start, end)
        return {
          kind,
          place: placeOf({ candidate: candidate.id, module, text }, start, end),
          text: found,
          why,
          inSeed: seedText.includes(found)
        }
      })
  })
}
