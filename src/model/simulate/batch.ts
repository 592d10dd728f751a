import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { sha256 } from "../../domain/hash.ts"
import { shuffled } from "../../domain/Random.ts"
import type { Api } from "./Api.ts"
import { answerLine, type BatchLine, type BatchProblem, expiredLine, type LineUsage, readLines } from "./batchLines.ts"
import { chatCompletions } from "./chatCompletions.ts"
import type { ExchangeSettings, Exchanging } from "./exchange.ts"
import { batchFaultOf, windowAt } from "./faults.ts"
import type { Files } from "./files.ts"
import type { FaultKind } from "./kinds.ts"
import { type Refusal, refusal } from "./protocol.ts"
import { responses } from "./responses.ts"

type Status =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled"

/** A batch as it stands. Times are in seconds since 1970. */
interface Batch {
  readonly id: string
  readonly api: Api
  readonly endpoint: string
  readonly inputFileId: string
  readonly metadata: Readonly<Record<string, string>> | null
  readonly authorization: string
  readonly fault: FaultKind | undefined
  readonly createdAt: number
  status: Status
  /** When each status was reached. */
  readonly times: Partial<Record<Status, number>>
  model: string | undefined
  errors: ReadonlyArray<BatchProblem>
  readonly counts: { total: number; completed: number; failed: number }
  usage: LineUsage
  outputFileId: string | undefined
  errorFileId: string | undefined
}

const day = 24 * 60 * 60

/** The batch in OpenAI's shape. */
const batchBody = (batch: Batch) => {
  const { counts, errors, times, usage } = batch
  const at = (status: Status) => times[status] ?? null
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    model: batch.model ?? null,
    errors: errors.length === 0 ? null : { object: "list", data: errors },
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status: batch.status,
    output_file_id: batch.outputFileId ?? null,
    error_file_id: batch.errorFileId ?? null,
    created_at: batch.createdAt,
    in_progress_at: at("in_progress"),
    expires_at: batch.createdAt + day,
    finalizing_at: at("finalizing"),
    completed_at: at("completed"),
    failed_at: at("failed"),
    expired_at: at("expired"),
    cancelling_at: at("cancelling"),
    cancelled_at: at("cancelled"),
    request_counts: { ...counts },
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output
    },
    metadata: batch.metadata
  }
}
export type BatchBody = ReturnType<typeof batchBody>

const CreateRequest = Schema.Struct({
  input_file_id: Schema.NonEmptyString,
  endpoint: Schema.Literals(["/v1/chat/completions", "/v1/responses"]),
  completion_window: Schema.Literal("24h"),
  metadata: Schema.optional(Schema.NullOr(Schema.Record(Schema.String, Schema.String)))
})
const decode = Schema.decodeUnknownResult(CreateRequest)

const apis = { "/v1/chat/completions": chatCompletions, "/v1/responses": responses } as const

export interface CreatedBatch {
  readonly batch: BatchBody
  /** Whether the client is not to hear of it. */
  readonly lost: boolean
}

export interface Batches {
  readonly create: (body: unknown, authorization: string) => Result.Result<CreatedBatch, Refusal>
  readonly get: (id: string) => BatchBody | undefined
  /** Fails for one that is over; undefined for one that is not there. */
  readonly cancel: (id: string) => Result.Result<BatchBody, Refusal> | undefined
  /** Newest first. */
  readonly list: () => ReadonlyArray<BatchBody>
}

export interface BatchSettings extends ExchangeSettings {
  /** From the creation of a batch to its end. */
  readonly batchMs: number
}

/** Parts of a batch's time: a tenth each for validating and finalizing, the rest in so many steps. */
const steps = 16
const linesBetweenBreaths = 8

/** Batches in memory, worked on until the scope closes. */
export const makeBatches = (
  settings: BatchSettings,
  files: Files,
  exchange: Exchanging
): Effect.Effect<Batches, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.makeRuntime<never>()
    const batches = new Map<string, Batch>()
    const attempts = new Map<string, number>()
    const seconds = () => Math.floor((settings.now() + settings.clockSkewMs) / 1000)

    const become = (batch: Batch, status: Status) => {
      batch.status = status
      batch.times[status] = seconds()
    }
    // Asked by a function, since the status changes while the fiber sleeps.
    const cancelling = (batch: Batch) => batch.status === "cancelling"
    const pause = (share: number) => Effect.sleep(settings.batchMs * share)

    const finish = (batch: Batch, status: Status, output: ReadonlyArray<string>, errors: ReadonlyArray<string>) => {
      const file = (name: string, lines: ReadonlyArray<string>) =>
        lines.length === 0
          ? undefined
          : files.add(`${batch.id}_${name}.jsonl`, "batch_output", lines.map((line) => `${line}\n`).join("")).id
      batch.outputFileId = file("output", output)
      batch.errorFileId = file("error", errors)
      become(batch, status)
    }

    const work = Effect.fnUntraced(function* (batch: Batch, all: ReadonlyArray<BatchLine>) {
      const lines = shuffled(all, ({ customId }) => customId, settings.seed, "batch order")
      const output: Array<string> = []
      const errors: Array<string> = []
      const reached = batch.fault === "batch-expired" ? Math.floor(lines.length / 2) : lines.length
      const answer = (line: BatchLine, number: number) => {
        const outcome = answerLine(exchange, batch.api, line, `${batch.id}_${number}`, batch.authorization)
        if (outcome.answered !== undefined) settings.counters.answered(outcome.answered)
        if (outcome.file === "output") output.push(outcome.text)
        if (outcome.file === "error") errors.push(outcome.text)
        batch.counts.completed += outcome.file === "output" ? 1 : 0
        batch.counts.failed += outcome.file === "error" ? 1 : 0
        const { usage } = outcome
        if (usage === undefined) return
        const { cached, input, output: written, reasoning } = batch.usage
        batch.usage = {
          input: input + usage.input,
          cached: cached + usage.cached,
          output: written + usage.output,
          reasoning: reasoning + usage.reasoning
        }
      }
      let done = 0
      for (let step = 1; step <= steps && !cancelling(batch); step++) {
        yield* pause(0.8 / steps)
        const until = Math.ceil((reached * step) / steps)
        while (done < until && !cancelling(batch)) {
          answer(lines[done]!, done)
          done++
          // Other requests are answered meanwhile.
          if (done % linesBetweenBreaths === 0) yield* Effect.yieldNow
        }
      }
      const cancelled = cancelling(batch)
      if (!cancelled) become(batch, "finalizing")
      yield* pause(0.1)
      if (cancelled || cancelling(batch)) finish(batch, "cancelled", output, errors)
      else if (batch.fault !== "batch-expired") finish(batch, "completed", output, errors)
      else {
        const rest = lines.slice(reached).map((line, index) => expiredLine(line, `${batch.id}_${reached + index}`))
        batch.counts.failed += rest.length
        finish(batch, "expired", output, [...errors, ...rest])
      }
    })

    const process = Effect.fnUntraced(function* (batch: Batch) {
      const file = files.get(batch.inputFileId)
      yield* pause(0.1)
      const lines: Result.Result<ReadonlyArray<BatchLine>, ReadonlyArray<BatchProblem>> = batch.fault === "batch-failed"
        ? Result.fail([{ code: "server_error", message: "The batch could not be validated.", param: null, line: null }])
        : readLines(file?.content ?? "", batch.endpoint)
      if (cancelling(batch)) finish(batch, "cancelled", [], [])
      else if (Result.isFailure(lines)) {
        batch.errors = lines.failure
        become(batch, "failed")
      } else {
        batch.counts.total = lines.success.length
        batch.model = lines.success[0]?.model
        become(batch, "in_progress")
        yield* work(batch, lines.success)
      }
    })

    const draw = (content: string, endpoint: string): FaultKind | undefined => {
      const identity = sha256(`${endpoint}\n${content}`)
      const attempt = attempts.get(identity) ?? 0
      attempts.set(identity, attempt + 1)
      const { faults, faultsAtMost, seed } = settings
      const kind =
        windowAt(faults, settings.now() - settings.startedAt, true) ??
        batchFaultOf(faults, { seed, identity, attempt, atMost: faultsAtMost })
      if (kind !== undefined) settings.counters.faulted(kind)
      return kind
    }

    const create: Batches["create"] = (body, authorization) =>
      Result.gen(function* () {
        const request = yield* Result.mapError(decode(body), (error) =>
          refusal(400, null, `The body does not create a batch: ${error.message}`)
        )
        const file = files.get(request.input_file_id)
        if (file === undefined || file.purpose !== "batch") {
          const message = `Invalid 'input_file_id': no file '${request.input_file_id}' with purpose 'batch'.`
          return yield* Result.fail(refusal(400, "invalid_value", message, "invalid_request_error", "input_file_id"))
        }
        const batch: Batch = {
          id: `batch_simulated${batches.size + 1}`,
          api: apis[request.endpoint],
          endpoint: request.endpoint,
          inputFileId: file.id,
          metadata: request.metadata ?? null,
          authorization,
          fault: draw(file.content, request.endpoint),
          createdAt: seconds(),
          status: "validating",
          times: {},
          model: undefined,
          errors: [],
          counts: { total: 0, completed: 0, failed: 0 },
          usage: { input: 0, cached: 0, output: 0, reasoning: 0 },
          outputFileId: undefined,
          errorFileId: undefined
        }
        batches.set(batch.id, batch)
        fork(process(batch))
        return { batch: batchBody(batch), lost: batch.fault === "batch-lost" }
      })

    const cancel: Batches["cancel"] = (id) => {
      const batch = batches.get(id)
      if (batch === undefined) return undefined
      if (["validating", "in_progress", "finalizing"].includes(batch.status)) become(batch, "cancelling")
      return batch.status === "cancelling" || batch.status === "cancelled"
        ? Result.succeed(batchBody(batch))
        : Result.fail(refusal(409, null, `Cannot cancel a batch with status '${batch.status}'.`))
    }

    return {
      create,
      cancel,
      get: (id) => {
        const batch = batches.get(id)
        return batch === undefined ? undefined : batchBody(batch)
      },
      list: () => [...batches.values()].reverse().map(batchBody)
    }
  })
