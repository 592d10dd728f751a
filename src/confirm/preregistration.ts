import { Document } from "yaml"
import type { Measure } from "../domain/Campaign.ts"
import type { CandidateId } from "../domain/Candidate.ts"
import { hashOf, sha256 } from "../domain/hash.ts"
import type { SplitDigest } from "../domain/Ledger.ts"
import type { Contender, Preregistration, PrimaryTest } from "../domain/Preregistration.ts"
import type { RunSettings } from "../domain/RunEvent.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { usualResampling } from "../measure/usualResampling.ts"

/** What a user may choose before the holdout is opened. */
export interface Choices {
  readonly replicates: number
  readonly alpha: number
  /** Gain over the first baseline on the acceptance part that each measure must exceed, as a share. */
  readonly gate: number
}

export const defaultChoices: Choices = { replicates: 3, alpha: 0.05, gate: 0.02 }

export interface PreregistrationInput {
  readonly run: string
  readonly settings: RunSettings
  readonly manifest: SplitManifest
  readonly candidate: Contender
  readonly baselines: readonly [Contender, ...ReadonlyArray<Contender>]
  readonly choices: Choices
}

const usualCap = 0.1

/**
 * The test of each measure: all swap the two judges by consultation. McNemar's test, which takes fitted thresholds as
 * given, and a bootstrap of few consultations find gains in nothing more often than they say.
 */
export const primaryTestOf = ({ measure }: Measure): PrimaryTest =>
  measure === "paired-discrimination" ? "cluster-swap" : measure === "detection" ? "detection-swap" : "auc-swap"

/** The cap of the operating points: that of a measure of detection, else 10 % [OB §4.1]. */
const capOf = (measures: ReadonlyArray<Measure | undefined>): number =>
  measures.flatMap((measure) => (measure?.measure === "detection" ? [measure.maxFalseAlarms] : []))[0] ?? usualCap

const points = (share: number): string => `${Number((share * 100).toFixed(6))} points`

const named = (measure: Measure): string => {
  const of = measure.classes === undefined ? "all errors" : measure.classes.map((one) => `${one}s`).join(" and ")
  switch (measure.measure) {
    case "paired-discrimination":
      return `paired discrimination on ${of}`
    case "auc":
      return `AUC on ${of}`
    case "detection":
      return `detection of ${of} at no more than ${points(measure.maxFalseAlarms).replace(" points", " %")} false alarms`
  }
}

const testNames: Readonly<Record<PrimaryTest, string>> = {
  "cluster-swap": "a permutation test that swaps the two judges consultation by consultation",
  "detection-swap":
    "a permutation test that swaps the two judges consultation by consultation, with both thresholds chosen anew each time,",
  "auc-swap": "a permutation test that swaps the two judges' ranks consultation by consultation"
}

const summaryOf = (document: Omit<Preregistration, "summary">): string => {
  const { baselines, candidate, gate, judge, primary, replicates, secondary, split, tests } = document
  const others = baselines.slice(1).map(({ name }) => name)
  const gates = [
    `more than ${points(gate.acceptance.primary)} in ${named(primary)}`,
    ...(secondary === null || gate.acceptance.secondary === null
      ? []
      : [`more than ${points(gate.acceptance.secondary)} in ${named(secondary)}`])
  ]
  return [
    `The holdout of split ${split.name} is to be opened for one question: is the instruction ${candidate.name} a better judge than ${baselines[0].name}?`,
    `It is opened only if ${candidate.name} is ahead on the acceptance part by ${gates.join(" and ")}.`,
    `Both judge every holdout note with ${judge.samples === 1 ? "one sample" : `${judge.samples} samples`} a note, at ${replicates.length === 1 ? "run seed" : "run seeds"} ${replicates.join(", ")}.`,
    `The answer is yes if ${named(primary)}${replicates.length === 1 ? "" : ", over all run seeds,"} is higher by more than ${points(gate.holdout.primary)} and ${testNames[tests.primary]} gives p of at most ${tests.alpha}, two-sided.`,
    tests.secondary.length === 0
      ? ""
      : `Beside it, these are tested together, adjusted by Holm, and decide nothing: ${tests.secondary.join("; ")}.`,
    ...humanSentences(document),
    others.length === 0 ? "" : `Further baselines, in the secondary tests alone: ${others.join(", ")}.`
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}

/** The names of the secondary tests, in the order in which the read-out gives them. */
export const secondaryTests = (baselines: ReadonlyArray<Contender>): ReadonlyArray<string> => [
  "detection (McNemar)",
  "false alarms (McNemar)",
  "detection against own false alarms (Boschloo)",
  "other classes as control, paired (cluster swap)",
  ...baselines.slice(1).map(({ name }) => `against ${name}, paired (cluster swap)`)
]

/** The document, of nothing but its input: the same choices give the same bytes. */
export const preregistration = (input: PreregistrationInput): Preregistration => {
  const { baselines, candidate, choices, manifest, run, settings } = input
  const primary = settings.objective.primary as Measure
  const secondary = (settings.objective.secondary ?? null) as Measure | null
  const document: Omit<Preregistration, "summary"> = {
    format: "assize-preregistration/1",
    run,
    campaign: settings.campaign,
    split: { name: manifest.name, hash: manifest.hash },
    candidate,
    baselines,
    judge: settings.judge,
    model: settings.models.judge,
    prompt: settings.prompt,
    replicates: Array.from({ length: choices.replicates }, (_, at) => 11 * (at + 1)) as [number, ...Array<number>],
    primary,
    secondary,
    cap: capOf([secondary ?? undefined, primary]),
    tests: {
      primary: primaryTestOf(primary),
      alpha: choices.alpha,
      secondary: secondaryTests(baselines),
      adjustment: "holm",
      ...usualResampling
    },
    gate: {
      acceptance: { primary: choices.gate, secondary: secondary === null ? null : choices.gate },
      holdout: { primary: 0 }
    }
  }
  const { format, ...rest } = document
  return { format, summary: summaryOf(document), ...rest }
}

/** The file that people read: YAML, the summary first, instructions as blocks. */
export const preregistrationText = (document: Preregistration): string => {
  const yaml = new Document(JSON.parse(JSON.stringify(document)))
  yaml.commentBefore =
    " What was promised before the holdout was opened. Its hash is in the split's ledger: any change to this file is found."
  return yaml.toString({ lineWidth: 100 })
}

export const preregistrationHash = (document: Preregistration): string => sha256(preregistrationText(document))

/** `splits/NAME.json` has `splits/NAME.preregistration-<hash>.yaml`. */
export const preregistrationPath = (manifestFile: string, hash: string): string =>
  manifestFile.replace(/(\.json)?$/i, `.preregistration-${hash.slice(0, 12)}.yaml`)

/** The sections of a manifest, hashed one by one. */
export const digestOf = ({ hash, ...manifest }: SplitManifest): SplitDigest => ({
  name: manifest.name,
  hash,
  sections: Object.fromEntries(Object.entries(manifest).map(([section, value]) => [section, hashOf(value)]))
})

/** A candidate as a contender; `human` says who wrote it and why, where a person did. */
export const contender = (
  candidate: {
    readonly id: CandidateId
    readonly name: string
    readonly instructions: Readonly<Record<string, string>>
  },
  human?: { readonly author: string; readonly reason: string }
): Contender => ({
  id: candidate.id,
  name: candidate.name,
  instructions: candidate.instructions,
  ...(human === undefined ? {} : { human })
})

/** Which contenders a person wrote, as sentences; empty where the search made them all. */
export const humanSentences = ({ baselines, candidate }: Pick<Preregistration, "candidate" | "baselines">) =>
  [candidate, ...baselines].flatMap(({ human, name }) =>
    human === undefined ? [] : [`${name} was written by a person, not by the search: ${human.author}, ${human.reason}.`]
  )
