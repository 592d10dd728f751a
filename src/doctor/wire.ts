import { channel } from "node:diagnostics_channel"

/** What was seen of the requests to one origin. Times are milliseconds. */
export interface WireFacts {
  /** Of the last connection that was made, its TLS included; undefined where none was needed or made. */
  readonly connectMs: number | undefined
  /** From the sending of the last request to the end of its answer; undefined where none came. */
  readonly answerMs: number | undefined
  /** How many requests went out. */
  readonly requests: number
  /** The last answer's Date header against this machine's clock: above 0 where the server's is ahead. */
  readonly skewMs: number | undefined
  /** The last answer's body, as far as it came. */
  readonly body: string
}

interface RequestMessage {
  readonly request: { readonly origin?: unknown }
}

/** The value of a header in undici's flat list of names and values. */
const headerOf = (headers: unknown, name: string): string | undefined => {
  if (!Array.isArray(headers)) return undefined
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (String(headers[at]).toLowerCase() === name) return String(headers[at + 1])
  return undefined
}

/**
 * Watches what undici tells of its requests to an origin until it is stopped, which gives what was seen. Requests' own
 * headers, which hold keys, are not looked at. Meant for one request at a time.
 */
export const watchWire = (origin: string, now: () => number, wallClock: () => number) => {
  let connecting: number | undefined
  let sent = 0
  let chunks: Array<Buffer> = []
  const facts: { -readonly [Name in keyof WireFacts]: WireFacts[Name] } = {
    connectMs: undefined,
    answerMs: undefined,
    requests: 0,
    skewMs: undefined,
    body: ""
  }
  const ours =
    <M extends RequestMessage>(then: (message: M) => void) =>
    (message: unknown) => {
      if ((message as M).request.origin === origin) then(message as M)
    }
  const listeners: ReadonlyArray<readonly [string, (message: unknown) => void]> = [
    ["undici:client:beforeConnect", (_: unknown) => (connecting = now())],
    [
      "undici:client:connected",
      (_: unknown) => {
        if (connecting !== undefined) facts.connectMs = now() - connecting
      }
    ],
    [
      "undici:client:sendHeaders",
      ours(() => {
        facts.requests++
        sent = now()
        chunks = []
      })
    ],
    [
      "undici:request:headers",
      ours<RequestMessage & { readonly response: { readonly headers: unknown } }>(({ response }) => {
        const date = Date.parse(headerOf(response.headers, "date") ?? "")
        // The header counts whole seconds: the middle of one is the best guess.
        if (!Number.isNaN(date)) facts.skewMs = date + 500 - wallClock()
      })
    ],
    [
      "undici:request:bodyChunkReceived",
      ours<RequestMessage & { readonly chunk: Uint8Array }>(({ chunk }) => chunks.push(Buffer.from(chunk)))
    ],
    [
      "undici:request:trailers",
      ours(() => {
        facts.answerMs = now() - sent
      })
    ]
  ]
  for (const [name, listener] of listeners) channel(name).subscribe(listener)
  return {
    stop: (): WireFacts => {
      for (const [name, listener] of listeners) channel(name).unsubscribe(listener)
      return { ...facts, body: Buffer.concat(chunks).toString("utf8") }
    }
  }
}
