import type { IncomingHttpHeaders } from "node:http"
import type { Api } from "./address.ts"
import { longestBody } from "./httpClient.ts"
import { errorInside, type ServerError, serverError } from "./openaiError.ts"
import { bodyOfEvents } from "./openaiEvents.ts"
import { chatReply, type ReadReply, responseReply } from "./openaiReply.ts"

/** What an answer says: a reply, an error, or nothing that can be read. */
export type Reading =
  | { readonly _tag: "reply"; readonly read: ReadReply }
  | { readonly _tag: "error"; readonly error: ServerError }
  | { readonly _tag: "unreadable"; readonly kind: "malformed-response" | "wrong-content-type"; readonly what: string }

const unreadable = (
  what: string,
  kind: "malformed-response" | "wrong-content-type" = "malformed-response"
): Reading => ({
  _tag: "unreadable",
  kind,
  what
})

export const tooLargeToRead: Reading = unreadable(`more than ${longestBody / 1024 / 1024} MB`)

const jsonOf = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Some servers send the mark of byte order, which is no JSON. */
const decode = (body: Buffer): string => body.toString("utf8").replace(/^\uFEFF/, "")

const readBody = (body: unknown, headers: IncomingHttpHeaders, api: Api, now: number): Reading | undefined => {
  const error = errorInside(body, headers, now)
  if (error !== undefined) return { _tag: "error", error }
  const read = api === "responses" ? responseReply(body) : chatReply(body)
  return read === undefined ? undefined : { _tag: "reply", read }
}

const readText = (text: string, headers: IncomingHttpHeaders, api: Api, now: number): Reading => {
  const type = headers["content-type"] ?? ""
  const start = text.trimStart()
  if (start === "") return unreadable("nothing")
  if (/^(data|event|id|retry|):/.test(start)) {
    const body = bodyOfEvents(text, api)
    return (
      (body === undefined ? undefined : readBody(body, headers, api, now)) ??
      unreadable("a stream of events, which was not asked for and holds no whole answer")
    )
  }
  const json = jsonOf(text)
  if (json !== undefined) {
    const what = api === "responses" ? "JSON that is no finished response" : "JSON that is no chat completion"
    return readBody(json.value, headers, api, now) ?? unreadable(what)
  }
  if (start.startsWith("<") || type.includes("html")) return unreadable("a web page", "wrong-content-type")
  return type === "" || type.includes("json")
    ? unreadable("JSON that breaks off or is not well formed")
    : unreadable("text that is no JSON", "wrong-content-type")
}

/** Reads what a line of a batch's results holds of an answer: its status, and its body as parsed JSON. */
export const readParsed = (status: number, body: unknown, api: Api, now: number): Reading => {
  if (status < 200 || status >= 300) return { _tag: "error", error: serverError(status, body, undefined, now) }
  if (typeof body === "string") return readText(body, {}, api, now)
  return readBody(body, {}, api, now) ?? unreadable("a line that holds no whole answer")
}

/** Reads an answer, whatever it is. `now` is in milliseconds since 1970. */
export const readAnswer = (
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
  api: Api,
  now: number
): Reading => {
  const text = decode(body)
  if (status >= 200 && status < 300) {
    const encoding = headers["content-encoding"] ?? "identity"
    return encoding === "identity"
      ? readText(text, headers, api, now)
      : unreadable("a compressed body, which was not asked for", "wrong-content-type")
  }
  return { _tag: "error", error: serverError(status, jsonOf(text)?.value ?? text, headers, now) }
}
