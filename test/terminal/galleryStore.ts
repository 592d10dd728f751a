import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EventLog } from "../../src/store/EventLog.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer } from "../../src/store/store.ts"
import { galleryEvents, galleryTime } from "./gallery.ts"

export const campaignFile = join(import.meta.dirname, "../../campaigns/quickstart/campaign.yaml")

/** Writes the first so many events of the gallery to a store, at their times, as the first run of its campaign. */
export const writeGallery = (file: string, events = galleryEvents) =>
  Effect.gen(function* () {
    const runs = yield* Runs
    const log = yield* EventLog
    const [started] = events
    if (started?._tag !== "started") throw new Error("a run starts with its settings")
    yield* TestClock.setTime(galleryTime(0))
    const { id } = yield* runs.create({ campaignFile, settings: started.settings })
    for (const [sequence, event] of events.entries()) {
      yield* TestClock.setTime(galleryTime(sequence))
      yield* log.append(id, sequence, event)
    }
    return id
  }).pipe(Effect.provide(Layer.provideMerge(layer(file), TestClock.layer())), Effect.runPromise)
