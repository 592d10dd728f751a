import * as Result from "effect/Result"
import type { Batches } from "./batch.ts"
import { jsonWire, refusalWire, type Wire } from "./faultedAnswer.ts"
import { type Files, fileBody } from "./files.ts"
import { parseBody, type Refusal, refusal } from "./protocol.ts"

/** A request for a file or a batch, its body read. */
export interface RouteRequest {
  readonly method: string
  /** Without `/v1` and query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly contentType: string
  readonly authorization: string
  readonly bytes: Buffer
}

/** What an upload may weigh: OpenAI's own limit. */
export const uploadLimit = 200 * 1024 * 1024

export const isBatchPath = (path: string): boolean => /^\/(?:files|batches)(?:\/|$)/.test(path)

const missing = (what: string, id: string): Wire => refusalWire(refusal(404, null, `No such ${what}: ${id}`))

const answer = (result: Result.Result<object, Refusal>): Wire =>
  Result.isFailure(result) ? refusalWire(result.failure) : jsonWire(200, result.success)

/** One page of a list that is newest first, by `after` and `limit`. */
const page = (items: ReadonlyArray<{ readonly id: string }>, query: URLSearchParams): Wire => {
  const asked = Number(query.get("limit") ?? 20)
  const limit = Number.isInteger(asked) && asked >= 1 && asked <= 100 ? asked : 20
  const after = query.get("after")
  const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1
  const data = items.slice(from, from + limit)
  return jsonWire(200, {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < items.length
  })
}

/** A form as browsers and clients upload it, or undefined for a body that is none. */
const formOf = async (bytes: Buffer, contentType: string): Promise<FormData | undefined> => {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData()
  } catch {
    return undefined
  }
}

const upload = async (files: Files, { bytes, contentType }: RouteRequest): Promise<Wire> => {
  const form = await formOf(bytes, contentType)
  const file = form?.get("file")
  const purpose = form?.get("purpose")
  if (!(file instanceof Blob) || typeof purpose !== "string") {
    return refusalWire(refusal(400, null, "Send a multipart form with a file and its purpose."))
  }
  if (purpose !== "batch") {
    const message = `'${purpose}' is no purpose that this server has; it has 'batch'.`
    return refusalWire(refusal(400, "invalid_value", message, "invalid_request_error", "purpose"))
  }
  return jsonWire(200, fileBody(files.add(file.name, purpose, await file.text())))
}

/** Answers requests under `/files` and `/batches`. */
export const makeBatchRoutes =
  (files: Files, batches: Batches) =>
  async (request: RouteRequest): Promise<Wire> => {
    const { method, path } = request
    const [, area, id, part] = path.split("/")
    const route = `${method} /${area}${id === undefined ? "" : "/id"}${part === undefined ? "" : `/${part}`}`
    const file = id === undefined ? undefined : files.get(id)
    const batch = id === undefined ? undefined : batches.get(id)
    switch (route) {
      case "POST /files":
        return upload(files, request)
      case "GET /files":
        return page(files.list().map(fileBody), request.query)
      case "GET /files/id":
        return file === undefined ? missing("File object", id!) : jsonWire(200, fileBody(file))
      case "DELETE /files/id":
        if (file === undefined) return missing("File object", id!)
        files.remove(file.id)
        return jsonWire(200, { id: file.id, object: "file", deleted: true })
      case "GET /files/id/content":
        if (file === undefined) return missing("File object", id!)
        return {
          status: 200,
          headers: { "content-type": "application/octet-stream" },
          body: file.content,
          delivery: "whole",
          answers: true
        }
      case "POST /batches": {
        const body = parseBody(request.bytes.toString("utf8"))
        const created = Result.flatMap(body, (value) => batches.create(value, request.authorization))
        if (Result.isFailure(created)) return refusalWire(created.failure)
        return jsonWire(200, created.success.batch, created.success.lost ? { delivery: "reset" } : {})
      }
      case "GET /batches":
        return page(batches.list(), request.query)
      case "GET /batches/id":
        return batch === undefined ? missing("Batch", id!) : jsonWire(200, batch)
      case "POST /batches/id/cancel": {
        const cancelled = batches.cancel(id!)
        return cancelled === undefined ? missing("Batch", id!) : answer(cancelled)
      }
      default:
        return refusalWire(refusal(404, "unknown_url", `Unknown request URL: ${method} ${path}.`))
    }
  }
