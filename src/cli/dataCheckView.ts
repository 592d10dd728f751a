import { type Cue, fewestPairs, type Shortcuts } from "../dataset/shortcuts.ts"
import { count, plain } from "./output.ts"
import { type Cell, table } from "./table.ts"

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`

/** A p-value in at most six characters. */
export const pText = (p: number): string => (p < 0.0001 ? "<.0001" : p.toFixed(4).replace(/^0/, ""))

const alpha = 0.05

const intervalText = ([low, high]: readonly [number, number]): string =>
  `${(100 * low).toFixed(0)}-${(100 * high).toFixed(0)}`

const row = (name: string, cue: Cue, shared: boolean): ReadonlyArray<Cell> => [
  name,
  cue.picks,
  cue.right,
  cue.wrong,
  cue.tie,
  cue.n,
  percent(cue.solved),
  cue.interval === null ? "-" : intervalText(cue.interval),
  cue.p === null ? "n too small" : pText(cue.p),
  ...(shared ? [cue.pByConsultation === null ? "-" : pText(cue.pByConsultation)] : []),
  cue.holm === null ? "-" : pText(cue.holm)
]

/** All cues over all pairs; of each class and stratum the length, and other cues that tell the sides apart there. */
export const shortcutsText = (shortcuts: Shortcuts): string => {
  if (shortcuts.pairs === 0) return "shortcuts: no pairs"
  const told = (cue: Cue) => cue.holm !== null && cue.holm < alpha
  const telling = new Set(
    [shortcuts, ...shortcuts.groups].flatMap(({ cues }) => cues.filter(told).map((cue) => cue.name))
  )
  const shared = shortcuts.consultations < shortcuts.pairs
  const how = [
    "right: the picked side is the clean note; each row picks in the direction that is right more often",
    "solved: ties count half, Wilson's 95 % interval",
    "p: exact binomial, two-sided",
    ...(shared
      ? ["by cons.: the same of consultations by the majority of their pairs, which are not independent"]
      : []),
    `Holm: ${shared ? "by cons." : "p"} adjusted over the ${shortcuts.tested} cues tested`
  ]
  return [
    `shortcuts: how often the surface of a pair gives its clean note away (${count(shortcuts.pairs, "pair")} of ${count(shortcuts.consultations, "consultation")})`,
    table(
      [
        [
          "",
          "picked side",
          "right",
          "wrong",
          "tie",
          "n",
          "solved",
          "95 %",
          "p",
          ...(shared ? ["by cons."] : []),
          "Holm"
        ],
        ...shortcuts.cues.map((cue) => row("all", cue, shared)),
        ...shortcuts.groups.flatMap((group) =>
          group.cues
            .filter((cue) => cue.name === "length" || told(cue))
            .map((cue) => row(`${group.by} ${group.value}`, cue, shared))
        )
      ],
      { keys: 2 }
    ),
    how.join("; "),
    ...(shortcuts.words.length === 0
      ? []
      : [
          plain(
            `words of the edits on one side mostly: ${shortcuts.words
              .map((one) => `"${one.word}" (clean ${one.clean}, flawed ${one.flawed}, p ${pText(one.p)})`)
              .join(", ")}`
          )
        ]),
    shortcuts.tested === 0
      ? `with fewer than ${fewestPairs} pairs, no cue is tested`
      : telling.size === 0
        ? "no cue tells the sides apart (Holm < .05)"
        : `${telling.size} of ${shortcuts.cues.length} cues ${telling.size === 1 ? "tells" : "tell"} the sides apart, over all pairs or within a class or stratum (Holm < .05): a judge can score there without reading for content`
  ].join("\n")
}

interface NamedNear {
  readonly a: string
  readonly b: string
  readonly similarity: number
  readonly by: string
}

const shown = 20

/** Rounded down, so that only equal texts have 1.000. */
const similarityText = (value: number): string => (Math.floor(value * 1000) / 1000).toFixed(3)

/** Near-duplicates within the dataset, and between it and others. */
export const nearDuplicatesText = (near: {
  readonly threshold: number
  /** Some text is longer than what is compared of it. */
  readonly cut: boolean
  readonly within: ReadonlyArray<NamedNear>
  readonly against: ReadonlyArray<{ readonly file: string; readonly pairs: ReadonlyArray<NamedNear> }>
}): string => {
  const block = (where: string, pairs: ReadonlyArray<NamedNear>): ReadonlyArray<string> => [
    plain(
      `near-duplicates ${where}: ${pairs.length === 0 ? "none" : `${count(pairs.length, "pair")} of consultations, ${new Set(pairs.map((one) => one.a)).size} of the dataset's`} (words in threes, Jaccard >= ${near.threshold}${near.cut ? ", of the first 500,000 characters" : ""})`
    ),
    ...(pairs.length === 0
      ? []
      : [table(pairs.slice(0, shown).map((one) => ["", one.a, one.b, one.by, similarityText(one.similarity)]))]),
    ...(pairs.length > shown ? [`  … and ${pairs.length - shown} more (--json has all)`] : [])
  ]
  return [
    ...block("within the dataset", near.within),
    ...near.against.flatMap(({ file, pairs }) => block(`with ${file}`, pairs))
  ].join("\n")
}
