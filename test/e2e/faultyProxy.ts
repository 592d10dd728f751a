import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What becomes of the n-th request: handed on when it gives false, answered by the fault otherwise. */
export type Fault = (n: number, incoming: IncomingMessage, response: ServerResponse) => boolean

export interface FaultyProxy {
  readonly url: string
  /** Requests so far. */
  readonly requests: () => number
  set(fault: Fault): void
  close(): Promise<void>
}

export const answer =
  (status: number, headers: Record<string, string> = {}, body: unknown = { error: { message: `status ${status}` } }) =>
  (_: IncomingMessage, response: ServerResponse): true => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
    return true
  }

/** A server on loopback that hands requests on to another, unless it has something else in mind. */
export const faultyProxy = async (target: string, first: Fault = () => false): Promise<FaultyProxy> => {
  let fault = first
  let requests = 0
  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      if (fault(requests++, incoming, response)) return
      const onward = request(
        new URL(incoming.url ?? "/", target),
        { method: incoming.method ?? "POST", headers: { "content-type": "application/json" } },
        (reply) => {
          response.writeHead(reply.statusCode ?? 500, { "content-type": "application/json" })
          reply.pipe(response)
        }
      )
      onward.on("error", () => response.destroy())
      onward.end(Buffer.concat(chunks))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    set: (next) => {
      fault = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
