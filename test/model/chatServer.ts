import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export type Answer = (received: Received, response: ServerResponse, n: number) => void

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

export const text =
  (body: string, contentType: string, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": contentType }).end(body)
  }

export const completion = (content: unknown, rest: { finish?: unknown; message?: object; usage?: unknown } = {}) => ({
  id: "c",
  object: "chat.completion",
  model: "tiny-1-served",
  choices: [
    {
      index: 0,
      finish_reason: "finish" in rest ? rest.finish : "stop",
      message: { role: "assistant", content, ...rest.message }
    }
  ],
  ...("usage" in rest
    ? { usage: rest.usage }
    : { usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } })
})

export const error = (message: string, fields: object = {}) => ({ error: { message, ...fields } })

/** A server on loopback for the length of the scope. `received` grows with every request. */
export const chatServer = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly url: string
      readonly received: Array<Received>
      readonly close: () => void
      readonly cut: () => number
    }>((resume) => {
      const received: Array<Received> = []
      let cut = 0
      const server = createServer((incoming, response) => {
        const chunks: Array<Buffer> = []
        response.on("close", () => {
          if (!response.writableFinished) cut++
        })
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
        incoming.on("end", () => {
          const request = {
            url: incoming.url ?? "",
            headers: incoming.headers,
            body: JSON.parse(Buffer.concat(chunks).toString("utf8"))
          }
          received.push(request)
          answer(request, response, received.length - 1)
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, received, close, cut: () => cut }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
