import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { openRun } from "../../src/campaign/openRun.ts"
import { prepareCampaign } from "../../src/campaign/prepare.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer } from "../../src/store/store.ts"

const quickstart = join(import.meta.dirname, "../../campaigns/quickstart/campaign.yaml")
const services = Layer.provideMerge(layer(":memory:"), NodeServices.layer)

describe("the run that a campaign goes on with", () => {
  it.effect("is one of a version that knew no merges, which goes on without", () =>
    Effect.gen(function* () {
      const prepared = yield* prepareCampaign(quickstart)
      const { merge, ...search } = prepared.task.settings.search
      assert.deepStrictEqual(merge, { after: 6, atMost: 4 })
      const settings = { ...prepared.task.settings, search }
      const old = yield* (yield* Runs).create({ campaignFile: quickstart, settings })
      const { run } = yield* openRun(prepared, { fresh: false, admit: Effect.die("a new run") })
      assert.strictEqual(run.id, old.id)
      assert.isUndefined(run.settings.search.merge)
    }).pipe(Effect.provide(services))
  )

  it.effect("is not one that was begun with other settings", () =>
    Effect.gen(function* () {
      const prepared = yield* prepareCampaign(quickstart)
      const { settings } = prepared.task
      for (const [search, field] of [
        [{ merge: { after: 6, atMost: 1 } }, "search.merge.atMost"],
        [{ proposals: 3 }, "search.proposals"],
        [{ racing: true }, "search.racing"],
        [{ accept: { margin: 0.1 } }, "search.accept"]
      ] as const) {
        yield* (yield* Runs).create({
          campaignFile: quickstart,
          settings: { ...settings, search: { ...settings.search, ...search } }
        })
        const error = yield* Effect.flip(openRun(prepared, { fresh: false, admit: Effect.void }))
        assert.strictEqual(error._tag === "InputError" ? error.problems[0]?.field : error._tag, field)
      }
    }).pipe(Effect.provide(services))
  )
})
