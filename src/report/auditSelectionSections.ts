import type { Audit, Flip } from "../audit/Audit.ts"
import { oneLine, quote, shownCandidates } from "./auditCells.ts"
import { namesOf } from "./auditNames.ts"
import { differenceText } from "./differenceText.ts"
import { fixed, none, plural, pText, type Section, signed } from "./scoreFormat.ts"

export const optimism = (audit: Audit): ReadonlyArray<Section> => {
  const one = audit.optimism
  if (one === null) return []
  const name = namesOf(audit)
  return [
    {
      title: "Selection optimism",
      rows: [
        ["", "where it was chosen", "on those left out", "difference"],
        [
          "winner chosen anew in each resample",
          fixed(one.inSample),
          fixed(one.outOfBag),
          signed(one.inSample - one.outOfBag)
        ],
        ...(one.unselected === null
          ? []
          : [
              [
                `${name(one.unselected.candidate)}, never chosen`,
                fixed(one.unselected.inSample),
                fixed(one.unselected.outOfBag),
                signed(one.unselected.inSample - one.unselected.outOfBag)
              ]
            ])
      ],
      remarks: [
        `${name(one.winner)} has ${fixed(one.apparent)} on all of them; less the optimism of ${fixed(one.optimism)} that is ${fixed(one.corrected)}. The middle 95 % of single resamples: [${fixed(one.spread[0])}, ${fixed(one.spread[1])}]`,
        `${one.resamples} resamples of ${one.drawn} ${one.units}, ${plural(one.candidates, "candidate")}; chosen most often: ${one.selected
          .slice(0, 4)
          .map(({ candidate, share }) => `${name(candidate)} ${Math.round(share * 100)} %`)
          .join(", ")}`,
        ...(one.units === "instances"
          ? [
              "the source does not say which instances share a consultation, so single instances were drawn: the optimism is likely to be larger"
            ]
          : [])
      ]
    }
  ]
}

const flipLines = (flip: Flip): ReadonlyArray<string> => [
  `${oneLine(flip.pair)}: ${[flip.class, flip.trace, flip.severity].filter((one) => one !== null).join(", ")}; scores flawed/clean ${fixed(flip.before.flawed, 2)}/${fixed(flip.before.clean, 2)} before, ${fixed(flip.after.flawed, 2)}/${fixed(flip.after.clean, 2)} after${flip.fact === null ? "" : `; about: ${quote(flip.fact)}`}`,
  ...(flip.texts === null ? [] : [`   clean to flawed: ${differenceText(flip.texts.difference)}`])
]

const shownFlips = 5

export const flips = (audit: Audit): ReadonlyArray<Section> => {
  const found = audit.flips
  if (found === null) return []
  const each = (title: string, some: ReadonlyArray<Flip>): ReadonlyArray<string> =>
    some.length === 0
      ? []
      : [
          `${title}:`,
          ...some.slice(0, shownFlips).flatMap(flipLines),
          ...(some.length > shownFlips
            ? [`   and ${some.length - shownFlips} more in --json, with both notes whole`]
            : [])
        ]
  return [
    {
      title: "Flips: pairs that the seed and the candidate order differently",
      rows: [],
      remarks: [
        `of ${plural(found.pairs, "pair")} of ${plural(found.consultations, "consultation")}: ${found.gained.length} gained, ${found.lost.length} lost, ${found.bothRight} right for both, ${found.neitherRight} for neither${found.p === null ? "" : `; with ties as half right ${found.better} better, ${found.worse} worse: exact sign test p = ${pText(found.p)}, which takes pairs for independent`}`,
        ...each("gained", found.gained),
        ...each("lost", found.lost)
      ]
    }
  ]
}

const tokens = (value: number | null): string | number => (value === null ? none : Math.round(value))

export const cost = (audit: Audit): Section => {
  const name = namesOf(audit)
  const wanted = new Set([audit.subject.candidate, audit.subject.seed])
  const shown = [
    ...audit.cost.filter(({ candidate }) => wanted.has(candidate)),
    ...audit.cost.filter(({ candidate }) => !wanted.has(candidate))
  ].slice(0, shownCandidates)
  const more = audit.cost.length - shown.length
  return {
    title: "Cost against gain",
    rows: [
      [
        "candidate",
        "characters",
        "tokens",
        "primary",
        "gain on seed",
        "longer by",
        "input a note",
        "output a note",
        "$ a 1,000 notes"
      ],
      ...shown.map((one) => [
        name(one.candidate),
        one.size.characters,
        one.size.tokens,
        fixed(one.primary),
        one.growth === 0 && one.gain === 0 ? none : signed(one.gain),
        one.growth === 0 && one.gain === 0 ? none : one.growth,
        tokens(one.inputTokens),
        tokens(one.outputTokens),
        one.usd === null ? none : (one.usd * 1000).toFixed(4)
      ])
    ],
    remarks: [
      "characters and tokens of the instruction (tokens by o200k, an estimate for other makers' models); input and output per note over all its judgements, samples together",
      ...(more > 0 ? [`${plural(more, "more candidate")} in --json`] : [])
    ]
  }
}
