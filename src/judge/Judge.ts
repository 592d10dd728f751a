import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { JudgeConfig, ModelConfig } from "../domain/Campaign.ts"
import type { Instructions } from "../domain/Candidate.ts"
import type { Item } from "../domain/Item.ts"
import type { Outcome, Outcomes } from "../domain/Judgement.ts"
import { callSeed } from "../domain/Random.ts"
import { CurrentGate, type Halted } from "../model/CallGate.ts"
import { defaultConcurrency } from "../model/gate.ts"
import {
  type BudgetExceeded,
  type Completion,
  LanguageModel,
  type Message,
  type ModelError
} from "../model/LanguageModel.ts"
import { winsorisedMean } from "../statistics/winsorisedMean.ts"
import { CurrentProgress } from "./Progress.ts"
import { type ParsedScore, parseScore } from "./parseScore.ts"
import { type AnswerUse, UseRecorder } from "./UseRecorder.ts"
import { judgeRequest, maxScore, messages, retryMessages } from "./wholeNoteScore.ts"

/** No judgement can be had: the model refuses every call, or every call of an evaluation failed. */
export class JudgeBroken extends Schema.TaggedError<JudgeBroken>()("JudgeBroken", { message: Schema.String }) {}

/** What an evaluation is for: for people who watch, and for the record of whose judgements they are. */
export interface Use {
  readonly label: string
  /** The candidate's id. */
  readonly candidate: string
  /** Notes whose calls failed before are asked again: they may fail again without the judge being broken. */
  readonly again?: boolean
  /** The answers may take a day, where that makes them cheaper: they are asked for in a batch if the model is one with `batch`. */
  readonly unhurried?: boolean
}

/** Turns notes into outcomes by an instruction. */
export class Judge extends Context.Service<
  Judge,
  {
    /**
     * Where answers come cheaper together: has those of several unhurried evaluations of the same items brought in one
     * go, so that there is one wait for all of them. Left out where that makes no difference.
     */
    ahead?(
      instructions: ReadonlyArray<Instructions>,
      items: ReadonlyArray<Item>,
      label: string
    ): Effect.Effect<void, BudgetExceeded | JudgeBroken | Halted>
    /**
     * The outcome of each item, by item id. Items whose calls failed are asked again, three times, after the others; a
     * call that fails even then is an outcome of its item. Fails when the budget does not allow the next call, and when
     * no judgement can be had at all; what was bought by then is in the store.
     */
    evaluate(
      instructions: Instructions,
      items: ReadonlyArray<Item>,
      use: Use
    ): Effect.Effect<Outcomes, BudgetExceeded | JudgeBroken | Halted>
  }
>()("assize/Judge") {}

/** The module of a whole-note judge: it has but one. */
export const wholeNoteModule = "judge"

const retrySample = 32
const reasonLength = 600
const replyLength = 600

/** Before calls that failed are made again at the end of an evaluation. */
const pausesMs = [5_000, 20_000, 60_000]
/** For each call under way so many may be asked for, so that those who wait to be repeated hold nobody up. */
const askedPerPlace = 4

type Sample =
  | { readonly kind: "parsed"; readonly parsed: ParsedScore; readonly reply: string }
  | { readonly kind: "failed"; readonly error: ModelError }

/** Whether the sample's call failed in a way that may pass. */
const mayPass = (sample: Sample | undefined): boolean => sample?.kind === "failed" && sample.error.retryable

/** The outcome of an item from its samples: the winsorised mean of the readable ones, when they are at least half. */
const outcomeOf = (samples: ReadonlyArray<Sample>): Outcome => {
  const readable = samples.flatMap((sample) =>
    sample.kind === "parsed" && sample.parsed.kind === "score" ? [sample.parsed] : []
  )
  const failures = samples.filter((sample) => sample.kind === "failed")
  if (readable.length > 0 && readable.length * 2 >= samples.length) {
    const reason = readable.find((sample) => sample.reason !== undefined)?.reason
    return {
      _tag: "scored",
      score: winsorisedMean(readable.map(({ score }) => score))!,
      ...(reason === undefined ? {} : { reason: reason.slice(0, reasonLength) })
    }
  }
  const failure = failures[0]
  // When calls failed, the judge is not to blame for what is missing.
  if (failure !== undefined) return { _tag: "failed", cause: failure.error.message }
  const unreadable = samples.find((sample) => sample.kind === "parsed")
  return { _tag: "unparsed", reply: (unreadable?.reply ?? "").slice(0, replyLength) }
}

/** A completion that broke off, was refused or holds no text is no verdict, whatever digits stand in it. */
const parsedCompletion = ({ finish, text }: Completion): ParsedScore =>
  finish === "stop" || finish === "other"
    ? parseScore(text, maxScore)
    : { kind: "unreadable", why: `the reply ended with ${finish}` }

/** The whole-note judge [OB §4.2]: k samples of a 0–10 score, one retry of each that cannot be read. */
export const wholeNoteJudge = (options: {
  readonly judge: JudgeConfig
  readonly model: ModelConfig
  readonly seed: number
}) =>
  Layer.effect(
    Judge,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const gate = yield* CurrentGate
      const progress = yield* CurrentProgress
      const record = yield* UseRecorder
      const places = defaultConcurrency(options.model)
      const concurrency = options.model.provider === "embedded" ? places : places * askedPerPlace

      /** One sample of an item, and a second attempt when the first cannot be read. `used` is told of each answer. */
      const sample = Effect.fnUntraced(function* (
        item: Item,
        instruction: string,
        number: number,
        used: (sample: number, key: string) => void
      ) {
        const ask = Effect.fnUntraced(function* (asked: ReadonlyArray<Message>, seedNumber: number) {
          yield* gate.pass
          const seed = callSeed(options.seed, item.key, seedNumber)
          const completion = yield* model.complete(judgeRequest(options.model, asked, seed))
          used(seedNumber, completion.key)
          return completion
        })
        const asked = messages(item, instruction)
        const first = yield* ask(asked, number)
        const parsed = parsedCompletion(first)
        if (parsed.kind === "score") return { kind: "parsed", parsed, reply: first.text } satisfies Sample
        const second = yield* ask(retryMessages(asked, first.text), number + retrySample)
        return { kind: "parsed", parsed: parsedCompletion(second), reply: second.text } satisfies Sample
      })

      const k = options.judge.samples
      const ahead = Effect.fn("Judge.ahead")(function* (
        instructions: ReadonlyArray<Instructions>,
        items: ReadonlyArray<Item>,
        label: string
      ) {
        if (model.gather === undefined) return
        const each = items.length * k
        const get = (at: number) => {
          const item = items[Math.floor((at % each) / k)]!
          const asked = messages(item, instructions[Math.floor(at / each)]![wholeNoteModule]!)
          return judgeRequest(options.model, asked, callSeed(options.seed, item.key, at % k))
        }
        yield* model
          .gather({ length: instructions.length * each, get }, ({ done, status, total }) => {
            Object.assign(progress, { label: `${label}, in a batch (${status})`, done, total })
          })
          .pipe(Effect.catchTag("ModelError", ({ message }) => Effect.fail(new JudgeBroken({ message }))))
      })

      const evaluate = Effect.fn("Judge.evaluate")(function* (
        instructions: Instructions,
        items: ReadonlyArray<Item>,
        use: Use
      ) {
        const instruction = instructions[wholeNoteModule]!
        const samples: ReadonlyArray<Array<Sample>> = items.map(() => [])
        const uses: Array<AnswerUse> = []
        // Consultation by consultation, note by note: calls that share a prefix follow each other.
        const calls = items.flatMap((item, position) =>
          Array.from({ length: k }, (_, number) => ({ item, position, number }))
        )
        if (use.unhurried === true) yield* ahead([instructions], items, use.label)
        Object.assign(progress, { label: use.label, done: 0, total: items.length * k })
        // The first error that ends the evaluation. Calls under way are waited for, since they are paid for; no new one starts.
        let ended: BudgetExceeded | JudgeBroken | Halted | undefined
        const ask = (asked: typeof calls) =>
          Effect.forEach(
            asked,
            ({ item, number, position }, at) =>
              Effect.andThen(at < places || at >= concurrency ? Effect.void : Effect.yieldNow, () => {
                if (ended !== undefined) return Effect.void
                const used = (seedNumber: number, key: string) =>
                  uses.push({ role: "judge", candidate: use.candidate, item: item.id, sample: seedNumber, key })
                return sample(item, instruction, number, used).pipe(
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
        const outcomes: Record<string, Outcome> = {}
        items.forEach((item, position) => {
          const outcome = outcomeOf(samples[position]!)
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
  )
