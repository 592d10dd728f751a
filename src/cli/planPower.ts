import * as Console from "effect/Console"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { StatedAssumptions } from "../campaign/powerAssumptions.ts"
import type { Prepared } from "../campaign/prepare.ts"
import type { Assumed, PowerMeasures } from "../confirm/power/estimate.ts"
import type { PartPower, PowerPlan } from "../confirm/power/planPower.ts"
import type { PowerText } from "../report/powerText.ts"
import { plain, warn } from "./output.ts"
import { computing } from "./signals.ts"
import { storeFile, storeFlag } from "./store.ts"
import { table } from "./table.ts"

const share = (name: string, description: string) =>
  Flag.Finite(name).pipe(Flag.withMetavar("SHARE"), Flag.withDescription(description), Flag.optional)

export const powerFlags = {
  baselineScores: Flag.String("baseline-scores").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "A table of scores as assize score reads it: its first judge is the baseline; further judges or replicates say how much two judges differ. Else the campaign's newest run says so, else the published campaign"
    ),
    Flag.optional
  ),
  assumeBaseline: share("assume-baseline", "Paired discrimination of the baseline, 0 to 1, in place of an estimate"),
  assumeDetection: share("assume-detection", "Share of the flawed notes that the baseline flags under the cap"),
  assumeDiscordance: share("assume-discordance", "Share of pairs on which two equally good judges differ"),
  assumeIcc: share("assume-icc", "Correlation of two judges' differences within a consultation"),
  store: storeFlag
}

interface Flags {
  readonly baselineScores: Option.Option<string>
  readonly assumeBaseline: Option.Option<number>
  readonly assumeDetection: Option.Option<number>
  readonly assumeDiscordance: Option.Option<number>
  readonly assumeIcc: Option.Option<number>
  readonly store: Option.Option<string>
}

const statedIn = (flags: Flags): StatedAssumptions => ({
  ...(Option.isSome(flags.assumeBaseline) ? { baseline: flags.assumeBaseline.value } : {}),
  ...(Option.isSome(flags.assumeDetection) ? { detection: flags.assumeDetection.value } : {}),
  ...(Option.isSome(flags.assumeDiscordance) ? { discordance: flags.assumeDiscordance.value } : {}),
  ...(Option.isSome(flags.assumeIcc) ? { icc: flags.assumeIcc.value } : {})
})

/** What the campaign's store knows of its judge. A store that cannot be read is no reason not to plan. */
const fromStore = Effect.fn("fromStore")(function* (prepared: Prepared, flags: Flags, measures: PowerMeasures) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* storeFile(flags.store)
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false))) return undefined
  const { estimateOfNewestRun } = yield* Effect.promise(() => import("../campaign/powerAssumptions.ts"))
  const { layer } = yield* Effect.promise(() => import("../store/store.ts"))
  return yield* estimateOfNewestRun(prepared, measures).pipe(
    Effect.provide(layer(file)),
    Effect.catchTags({
      StoreError: ({ message }) =>
        Effect.as(Console.error(plain(`no assumption is from a run: ${message}`)), undefined),
      CorruptStore: ({ message }) =>
        Effect.as(Console.error(plain(`no assumption is from a run: ${message}`)), undefined)
    })
  )
})

export interface PowerPlanned extends PowerPlan, PowerText {
  readonly measures: PowerMeasures
  readonly assumed: Assumed
  /** The assumptions as a table. */
  readonly assumedRows: ReadonlyArray<ReadonlyArray<string>>
}

/** The power analysis of a campaign: from the scores that are named, else its newest run, else the published campaign. */
export const planPowerOf = Effect.fn("planPowerOf")(function* (prepared: Prepared, flags: Flags) {
  const { powerMeasures, powerParts } = yield* Effect.promise(() => import("../campaign/power.ts"))
  const { assumedFrom, estimateOfScores } = yield* Effect.promise(() => import("../campaign/powerAssumptions.ts"))
  const { planPower } = yield* Effect.promise(() => import("../confirm/power/planPower.ts"))
  const { assumptionRows, powerText } = yield* Effect.promise(() => import("../report/powerText.ts"))
  const measures = powerMeasures(prepared.campaign.objective)
  const estimated = Option.isSome(flags.baselineScores)
    ? yield* Effect.tap(estimateOfScores(flags.baselineScores.value, measures), ({ warnings }) => warn(warnings))
    : yield* fromStore(prepared, flags, measures)
  const assumed = yield* assumedFrom(statedIn(flags), estimated)
  const found = yield* computing(() => planPower(powerParts(prepared, measures), assumed.values, measures))
  const planned: PowerPlanned = {
    ...found,
    measures,
    assumed,
    assumedRows: assumptionRows(assumed),
    ...powerText(found, measures, prepared.manifest, assumed)
  }
  return planned
})

const gainCell = (gain: number | null) => (gain === null ? "none" : (gain * 100).toFixed(1))

const row = (name: string, { cases, clean, consultations, falseGains, gain, part }: PartPower) => [
  part,
  name,
  consultations,
  cases,
  clean,
  gainCell(gain),
  `${(falseGains.power * 100).toFixed(1)} %`
]

/** What a person reads of it. */
export const powerLines = ({
  acceptance,
  advice,
  assumedRows,
  detection,
  holdout,
  paired
}: PowerPlanned): ReadonlyArray<string> => [
  "What a gain must be to be told from noise (power 80 %, two-sided p of at most 0.05, by simulation over consultations)",
  ...[...acceptance, ...holdout].map(plain),
  "",
  table([
    ["part", "measure", "consultations", "cases", "clean notes", "detectable, points", "false gains"],
    ...paired.parts.flatMap((found, at) => [
      row("paired discrimination", found),
      row("detection", detection.parts[at]!)
    ])
  ]),
  "",
  ...advice.map(plain),
  "",
  table(assumedRows, { maxCell: 100 })
]
