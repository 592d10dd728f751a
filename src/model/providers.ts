import * as Effect from "effect/Effect"
import type { Provider, Providers } from "./Provider.ts"

/** Both providers, each loaded when it is first asked: together they take longer to load than the rest of the program. */
export const makeProviders: Effect.Effect<Providers> = Effect.gen(function* () {
  const embedded = yield* Effect.cached(Effect.promise(() => import("./embedded/provider.ts")))
  let loaded: Provider | undefined
  const openai = yield* Effect.cached(
    Effect.promise(() => import("./openai.ts")).pipe(
      Effect.flatMap(({ make }) => make),
      Effect.tap((provider) =>
        Effect.sync(() => {
          loaded = provider
        })
      )
    )
  )
  return {
    embedded: (request) => Effect.flatMap(embedded, ({ complete }) => complete(request)),
    openai: Object.assign(
      ((request) =>
        loaded === undefined ? Effect.flatMap(openai, (provider) => provider(request)) : loaded(request)) as Provider,
      {
        learned: (model: Parameters<NonNullable<Provider["learned"]>>[0]) => loaded?.learned?.(model),
        batches: (model: Parameters<NonNullable<Provider["batches"]>>[0]) =>
          Effect.flatMap(openai, ({ batches }) => batches!(model))
      }
    )
  }
})
