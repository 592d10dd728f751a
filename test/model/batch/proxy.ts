import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

export interface Asked {
  readonly method: string
  /** With `/v1`, without query. */
  readonly path: string
  readonly body: Buffer
}

export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

/** Answers in the server's place, or lets it answer by `forward`. "reset" breaks the connection. */
export type Hook = (asked: Asked, forward: () => Promise<Answered>) => Promise<Answered | "reset">

export const json = (body: unknown, status = 200): Answered => ({
  status,
  contentType: "application/json",
  body: Buffer.from(JSON.stringify(body))
})
export const text = (body: string): Answered => ({ status: 200, contentType: "text/plain", body: Buffer.from(body) })

export const parse = ({ body }: { readonly body: Buffer }) =>
  JSON.parse(body.toString("utf8")) as Readonly<Record<string, unknown>>

const reply = (response: ServerResponse, answer: Answered | "reset") => {
  if (answer === "reset") response.destroy()
  else response.writeHead(answer.status, { "content-type": answer.contentType }).end(answer.body)
}

/** A server on loopback between a client and `target`; `seen` lists what was asked, as `POST /v1/batches`. */
export const startProxy = async (target: string, hook: Hook) => {
  const seen: Array<string> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    response.on("error", () => undefined)
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      const url = request.url ?? "/"
      const asked = { method: request.method ?? "GET", path: url.replace(/\?.*$/, ""), body }
      seen.push(`${asked.method} ${asked.path}`)
      const forward = async (): Promise<Answered> => {
        const { "content-type": contentType = "", authorization } = request.headers
        const answer = await fetch(`${target}${url}`, {
          method: asked.method,
          headers: { "content-type": contentType, ...(authorization === undefined ? {} : { authorization }) },
          ...(asked.method === "GET" || asked.method === "DELETE" ? {} : { body: new Uint8Array(body) })
        })
        return {
          status: answer.status,
          contentType: answer.headers.get("content-type") ?? "",
          body: Buffer.from(await answer.arrayBuffer())
        }
      }
      hook(asked, forward).then(
        (answer) => reply(response, answer),
        () => response.destroy()
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

export const proxy = (target: string, hook: Hook) =>
  Effect.acquireRelease(
    Effect.promise(() => startProxy(target, hook)),
    ({ close }) => Effect.sync(close)
  )
