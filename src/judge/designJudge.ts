import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { JudgeConfig, ModelConfig } from "../domain/Campaign.ts"
import type { Instructions } from "../domain/Candidate.ts"
import type { Item } from "../domain/Item.ts"
import type { Outcome, Outcomes } from "../domain/Judgement.ts"
import { CurrentGate, type Halted } from "../model/CallGate.ts"
import { defaultConcurrency } from "../model/gate.ts"
import { type BudgetExceeded, LanguageModel } from "../model/LanguageModel.ts"
import { type BlindnessViolation, violation } from "./blindness.ts"
import { type Consensus, consensusOf } from "./consensus.ts"
import type { Design } from "./Design.ts"
import { designOf } from "./designs/registry.ts"
import { Judge, JudgeBroken, type Use } from "./Judge.ts"
import { joinSamples, mayPass, type Sample } from "./joinSamples.ts"
import { CurrentProgress } from "./Progress.ts"
import { blindnessProblems, gatherable, stageRequest } from "./requests.ts"
import { type Ask, retrySample, runStages } from "./runStages.ts"
import { type AnswerUse, OutcomeRecorder, UseRecorder } from "./UseRecorder.ts"

/** Before calls that failed are made again at the end of an evaluation. */
const pausesMs = [5_000, 20_000, 60_000]
/** For each call under way so many may be asked for, so that those who wait to be repeated hold nobody up. */
const askedPerPlace = 4

export interface DesignJudgeOptions {
  readonly judge: JudgeConfig
  readonly model: ModelConfig
  readonly seed: number
}

type Ended = BlindnessViolation | BudgetExceeded | JudgeBroken | Halted

interface Runner extends DesignJudgeOptions {
  readonly design: Design
  /** Before the names of stages in the record of uses: the member of a consensus. */
  readonly prefix: string
}

/** A judge of a design with stages. */
const stagedJudge = Effect.fnUntraced(function* ({ design, judge, model: config, prefix, seed }: Runner) {
  const model = yield* LanguageModel
  const gate = yield* CurrentGate
  const progress = yield* CurrentProgress
  const record = yield* UseRecorder
  const places = defaultConcurrency(config)
  const concurrency = config.provider === "embedded" ? places : places * askedPerPlace
  const k = judge.samples

  const sampleOf = (
    item: Item,
    instructions: Instructions,
    number: number,
    used: (stage: string, sample: number, key: string) => void
  ) => {
    const ask: Ask<Ended | Effect.Error<ReturnType<typeof model.complete>>> = Effect.fnUntraced(
      function* (stage, question, messages, attempt) {
        const seen = stage.sees === "transcript" ? violation(stage.name, messages, item) : undefined
        if (seen !== undefined) return yield* seen
        yield* gate.pass
        const sample = number + attempt * retrySample
        const request = stageRequest({ design, item, model: config, sample, seed, stage }, question, messages)
        const completion = yield* model.complete(request)
        used(prefix + stage.name, sample, completion.key)
        return completion
      }
    )
    return runStages(design, item, instructions, ask)
  }

  const ahead = Effect.fn("Judge.ahead")(function* (
    instructions: ReadonlyArray<Instructions>,
    items: ReadonlyArray<Item>,
    label: string
  ) {
    if (model.gather === undefined) return
    const requests = gatherable(design, items, k)
    if (requests === undefined) return
    const get = (at: number) =>
      requests.get(at % requests.length, config, instructions[Math.floor(at / requests.length)]!, seed)
    yield* model
      .gather({ length: instructions.length * requests.length, get }, ({ done, status, total }) => {
        Object.assign(progress, { label: `${label}, in a batch (${status})`, done, total })
      })
      .pipe(Effect.catchTag("ModelError", ({ message }) => Effect.fail(new JudgeBroken({ message }))))
  })

  const evaluate = Effect.fn("Judge.evaluate")(function* (
    instructions: Instructions,
    items: ReadonlyArray<Item>,
    use: Use
  ) {
    const [seen] = blindnessProblems(design, items, instructions)
    if (seen !== undefined) return yield* seen
    const samples: ReadonlyArray<Array<Sample>> = items.map(() => [])
    const uses: Array<AnswerUse> = []
    // Consultation by consultation, note by note: calls that share a prefix follow each other.
    const calls = items.flatMap((item, position) =>
      Array.from({ length: k }, (_, number) => ({ item, position, number }))
    )
    if (use.unhurried === true) yield* ahead([instructions], items, use.label)
    Object.assign(progress, { label: use.label, done: 0, total: items.length * k })
    // The first error that ends the evaluation. Calls under way are waited for, since they are paid for; no new one starts.
    let ended: Ended | undefined
    // Those who find no place yet get ready one by one, each in a turn of the event loop: the first calls leave meanwhile.
    const oneByOne = Semaphore.makeUnsafe(1).withPermits(1)(Effect.yieldNow)
    const ask = (asked: typeof calls) =>
      Effect.forEach(
        asked,
        ({ item, number, position }, at) =>
          Effect.andThen(at < places || at >= concurrency ? Effect.void : oneByOne, () => {
            if (ended !== undefined) return Effect.void
            const used = (stage: string, sample: number, key: string) =>
              uses.push({ role: "judge", candidate: use.candidate, item: item.id, sample, stage, key })
            return sampleOf(item, instructions, number, used).pipe(
              Effect.catchTag(
                "ModelError",
                (error): Effect.Effect<Sample, JudgeBroken> =>
                  error.fatal
                    ? Effect.fail(new JudgeBroken({ message: error.message }))
                    : Effect.succeed({ kind: "failed", error })
              ),
              Effect.match({
                onSuccess: (result) => {
                  samples[position]![number] = result
                  progress.done++
                },
                onFailure: (error) => {
                  ended ??= error
                }
              })
            )
          }),
        { concurrency, discard: true }
      )
    yield* ask(calls)
    for (const pauseMs of pausesMs) {
      const failed = calls.filter(({ number, position }) => mayPass(samples[position]![number]))
      if (ended !== undefined || failed.length === 0) break
      Object.assign(progress, { label: `${use.label}, failed calls again`, done: 0, total: failed.length })
      const slept = yield* Effect.result(gate.sleep(pauseMs))
      if (slept._tag === "Failure") ended = slept.failure
      else yield* ask(failed)
    }
    yield* record(uses)
    if (ended !== undefined) return yield* ended
    // What was never asked must not pass for a reply that cannot be read.
    const skipped = calls.find(({ number, position }) => samples[position]![number] === undefined)
    if (skipped !== undefined)
      return yield* Effect.die(new Error(`note ${skipped.item.id} was not judged, though nothing stopped the judge`))
    const outcomes: Record<string, Outcome> = {}
    items.forEach((item, position) => {
      const outcome = joinSamples(design, samples[position]!)
      outcomes[item.id] = outcome
      progress[outcome._tag]++
    })
    const failures = Object.values(outcomes).filter(({ _tag }) => _tag === "failed")
    if (use.again !== true && items.length > 0 && failures.length === items.length) {
      const [failure] = failures
      return yield* new JudgeBroken({
        message: `all ${items.length} judgements failed: ${failure?._tag === "failed" ? failure.cause : ""}`
      })
    }
    return outcomes
  })
  return Judge.of({ ahead, evaluate })
})

/** Keeps what the judge's outcomes are made of, where somebody asks for it. */
const recorded = (
  service: Judge["Service"],
  record: (candidate: string, outcomes: Outcomes) => Effect.Effect<void>
): Judge["Service"] =>
  Judge.of({
    ...service,
    evaluate: (instructions, items, use) =>
      Effect.tap(service.evaluate(instructions, items, use), (outcomes) => record(use.candidate, outcomes))
  })

/** Runs a judge of any design: its stages, or its members and then their consensus. */
export const makeDesignJudge = Effect.fnUntraced(function* (options: DesignJudgeOptions) {
  const design = designOf(options.judge)
  const record = yield* OutcomeRecorder
  if (design.members === undefined) {
    return recorded(yield* stagedJudge({ ...options, design, prefix: "" }), record)
  }
  const members: Consensus["members"] = yield* Effect.forEach(
    design.members,
    Effect.fnUntraced(function* ({ design: own, judge, model = options.model, name }) {
      const service = yield* stagedJudge({ seed: options.seed, judge, model, design: own, prefix: `${name}.` })
      return { name, scale: own.scale, service }
    })
  )
  return recorded(consensusOf({ design, members }), record)
})

/** `makeDesignJudge` as the `Judge`. */
export const designJudge = (options: DesignJudgeOptions): Layer.Layer<Judge, never, LanguageModel> =>
  Layer.effect(Judge, makeDesignJudge(options))
