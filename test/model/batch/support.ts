import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { Budget, OpenAiModel } from "../../../src/domain/Campaign.ts"
import type { RequestList } from "../../../src/model/batch/BatchServer.ts"
import { CallGate, CurrentGate } from "../../../src/model/CallGate.ts"
import { LanguageModel, type ModelRequest } from "../../../src/model/LanguageModel.ts"
import * as live from "../../../src/model/live.ts"
import { makeProviders } from "../../../src/model/providers.ts"
import { parseFaults } from "../../../src/model/simulate/faults.ts"
import { type ServeOptions, serve } from "../../../src/model/simulate/server.ts"
import { Runs } from "../../../src/store/Runs.ts"
import * as store from "../../../src/store/store.ts"
import { newRun } from "../../store/fixtures.ts"

type OpenAi = typeof OpenAiModel.Type

export const price = { input: 1, output: 8 }

export const batchModel = (baseUrl: string, more: Partial<OpenAi> = {}): OpenAi => ({
  provider: "openai",
  model: "lexical-1",
  baseUrl,
  batch: true,
  price,
  maxOutputTokens: 200,
  ...more
})

export const storeFile = () => join(mkdtempSync(join(tmpdir(), "assize-batch-")), "store.sqlite")

const asked = (seed: number): ModelRequest["messages"] => [
  {
    role: "user",
    content: `<transcript>\nDoctor: Any pain? Patient: Pain in the left knee for ${seed} days.\n</transcript>\n<note>\nPain in the left knee.\n</note>\n<instruction>\nCheck that nothing is left out.\n</instruction>`
  }
]

export const requests = (model: OpenAi, count: number): RequestList => ({
  length: count,
  get: (index) => ({ role: "judge", model, messages: asked(index + 1), seed: index + 1 })
})

export const server = (options: Partial<ServeOptions> & { readonly spec?: string } = {}) => {
  const { spec, ...rest } = options
  return serve({
    port: 0,
    latencyMs: 0,
    batchMs: 100,
    ...(spec === undefined ? {} : { faults: Result.getOrThrow(parseFaults(spec)) }),
    ...rest
  })
}

export interface Sitting {
  readonly file: string
  readonly model: OpenAi
  readonly budget?: Budget
  readonly gate?: CallGate
  /** Another run in the same store. */
  readonly run?: string
  readonly patienceMs?: number
}

/** One process's time with the store: a run that is gone on with. */
export const sitting =
  ({ budget = {}, file, gate = new CallGate(), model, patienceMs, run }: Sitting) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const known = yield* runs.list()
      const campaignFile = run ?? newRun.campaignFile
      const mine =
        known.find((one) => one.campaignFile === campaignFile) ?? (yield* runs.create({ ...newRun, campaignFile }))
      const layer = live.layer({
        run: mine.id,
        file: "campaign.yaml",
        budget,
        models: { judge: model, reflection: model },
        providers: yield* makeProviders,
        patienceMs
      })
      return yield* Effect.provide(effect, layer, { local: true })
    }).pipe(Effect.provideService(CurrentGate, gate), Effect.provide(store.layer(file), { local: true }))

/** Brings the answers by batches, and then reads them all as a judge does. Gives the texts. */
export const answers = (list: RequestList) =>
  Effect.gen(function* () {
    const models = yield* LanguageModel
    yield* models.gather!(list, () => undefined)
    const places = Array.from({ length: list.length }, (_, index) => index)
    return yield* Effect.forEach(places, (index) => Effect.result(models.complete(list.get(index))), { concurrency: 8 })
  })

export const rows = <A extends object>(query: string) =>
  SqlClient.SqlClient.use((sql) => sql.unsafe<A>(query)).pipe(Effect.map((all) => all.map((row) => ({ ...row }))))
