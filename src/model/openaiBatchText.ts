import type { Api } from "./address.ts"
import type { BatchState } from "./batch/BatchServer.ts"
import { serverError, statusOf } from "./openaiError.ts"
import { type Reading, readParsed } from "./openaiReading.ts"
import { fieldsOf } from "./openaiUsage.ts"

/** A form with a file of a batch's lines, as browsers upload it. */
export const makeForm = (
  filename: string,
  lines: ReadonlyArray<Buffer>
): { readonly contentType: string; readonly body: Buffer } => {
  // Lines are JSON, in which no line begins with hyphens.
  const boundary = `assize-form-${filename.replace(/[^A-Za-z0-9]/g, "")}`.slice(0, 70)
  const head = [
    `--${boundary}`,
    'content-disposition: form-data; name="purpose"',
    "",
    "batch",
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${filename}"`,
    "content-type: application/jsonl",
    "",
    ""
  ].join("\r\n")
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), ...lines, Buffer.from(`\r\n--${boundary}--\r\n`)])
  }
}

const endings: ReadonlySet<string> = new Set(["completed", "failed", "expired", "cancelled"])
const isEnding = (status: string): status is NonNullable<BatchState["ending"]> => endings.has(status)

const nameOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= 500 ? value : null
const numberOf = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0

/** A batch object; undefined for anything else. `shown` makes what the server says fit to be shown. */
export const batchStateOf = (value: unknown, shown: (text: string) => string): BatchState | undefined => {
  const batch = fieldsOf(value)
  const id = nameOf(batch.id)
  if (id === null || typeof batch.status !== "string") return undefined
  const counts = fieldsOf(batch.request_counts)
  const { data } = fieldsOf(batch.errors)
  return {
    id,
    status: shown(batch.status.slice(0, 40)),
    ending: isEnding(batch.status) ? batch.status : batch.status === "canceled" ? "cancelled" : undefined,
    done: numberOf(counts.completed) + numberOf(counts.failed),
    inputFile: nameOf(batch.input_file_id),
    outputFile: nameOf(batch.output_file_id),
    errorFile: nameOf(batch.error_file_id),
    errors: (Array.isArray(data) ? data : []).slice(0, 20).map((error) => {
      const { code, message } = fieldsOf(error)
      return {
        code: typeof code === "string" ? code : "",
        message: shown(typeof message === "string" ? message : "no reason given")
      }
    })
  }
}

/** What a line of results says, `reading` undefined where it was not its turn; undefined for a line that is none. */
export const readResultLine = (
  text: string,
  api: Api,
  now: number
): { readonly key: string; readonly reading: Reading | undefined } | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { custom_id: key, error, response } = fieldsOf(value)
  if (typeof key !== "string") return undefined
  const { body, status_code: status } = fieldsOf(response)
  if (typeof status === "number") return { key, reading: readParsed(status, body, api, now) }
  const { code } = fieldsOf(error)
  if (code === "batch_expired" || code === "batch_cancelled") return { key, reading: undefined }
  if (error === null || error === undefined) return undefined
  const said = serverError(0, { error }, undefined, now)
  return { key, reading: { _tag: "error", error: { ...said, status: statusOf(said.code) } } }
}
