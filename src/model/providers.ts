import * as Effect from "effect/Effect"
import type { Providers } from "./Provider.ts"

/** Both providers, each loaded when it is first asked: the OpenAI client takes longer to load than the rest together. */
export const makeProviders: Effect.Effect<Providers> = Effect.gen(function* () {
  const embedded = yield* Effect.cached(Effect.promise(() => import("./embedded/provider.ts")))
  const openai = yield* Effect.cached(
    Effect.flatMap(
      Effect.promise(() => import("./openai.ts")),
      ({ make }) => make
    )
  )
  return {
    embedded: (request) => Effect.flatMap(embedded, ({ complete }) => complete(request)),
    openai: (request) => Effect.flatMap(openai, (provider) => provider(request))
  }
})
