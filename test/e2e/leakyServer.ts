import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Every way in which a server may write a secret that was sent to it. */
export const writings = (secret: string): ReadonlyArray<string> => {
  const json = JSON.stringify(secret)
  const url = encodeURIComponent(secret)
  const base64 = (text: string) => Buffer.from(text).toString("base64")
  return [
    secret,
    json,
    JSON.stringify(json),
    json.replaceAll("/", "\\/"),
    url,
    url.replace(/%../g, (hex) => hex.toLowerCase()),
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    base64(secret),
    base64(`Bearer ${secret}`),
    base64(`me:${secret}`),
    Buffer.from(secret).toString("base64url")
  ]
}

/** What of a secret no file may hold, however it is written: its letters, and the middle of its base64 however it lies. */
export const traces = (secret: string): ReadonlyArray<string> => [
  /[a-z]+-canary/.exec(secret)![0],
  ...[0, 1, 2].map((before) =>
    Buffer.from("x".repeat(before) + secret)
      .toString("base64")
      .slice(8, 24)
  )
]

/** The text of a completion with a secret in it, in such a way that it still means something. */
const spiked = (content: string, leak: string): string => {
  try {
    const verdict = JSON.parse(content) as { readonly reason: string }
    return JSON.stringify({ ...verdict, reason: `${verdict.reason} ${leak}` })
  } catch {
    return content.includes("INSTRUCTION>>>")
      ? `${leak}\n${content.replace("INSTRUCTION>>>", `The key is ${leak}\nINSTRUCTION>>>`)}`
      : `${content} ${leak}`
  }
}

/** A server on loopback that hands requests on to another, and quotes what it was sent in errors and answers of all kinds. */
export const leakyServer = async (target: string, secretHeaders: ReadonlyArray<string>) => {
  let requests = 0
  const leakOf = ({ headers }: IncomingMessage): string =>
    secretHeaders
      .flatMap((name) => {
        const value = String(headers[name] ?? "")
        return [value, ...writings(value.replace(/^\w+ /, ""))]
      })
      .join(" ")

  const refused = (leak: string, response: ServerResponse) =>
    response.writeHead(401, { "content-type": "application/json" }).end(
      JSON.stringify({
        error: { message: `Incorrect API key provided: ${leak}`, code: leak.slice(0, 60), type: leak }
      })
    )
  const answers: ReadonlyArray<(leak: string, response: ServerResponse) => void> = [
    (leak, response) =>
      response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error: leak })),
    (leak, response) =>
      response.writeHead(502, { "content-type": "text/html" }).end(`<html><body>${leak}</body></html>`),
    (leak, response) =>
      response
        .writeHead(429, { "content-type": "text/plain", "retry-after-ms": "5", "x-seen": encodeURIComponent(leak) })
        .end(leak),
    (leak, response) =>
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: `not this one: ${leak}`, param: leak } })),
    (leak, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<p>${leak}</p>`),
    (leak, response) => response.writeHead(200, { "content-type": "application/json" }).end(`{"error": "${leak}`)
  ]

  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const leak = leakOf(incoming)
      const n = requests++
      // The first is the tiny one that finds out whether the server is there.
      if (n % 150 === 120) return refused(leak, response)
      if (n > 0 && n % 6 === 5) return answers[Math.floor(n / 6) % answers.length]!(leak, response)
      const onward = request(new URL(incoming.url ?? "/", target), { method: "POST" }, (reply) => {
        const parts: Array<Buffer> = []
        reply.on("data", (chunk: Buffer) => parts.push(chunk))
        reply.on("end", () => {
          const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as {
            model: string
            system_fingerprint?: string
            choices: Array<{ message: { content: string; refusal?: string | null } }>
          }
          const [choice] = body.choices
          choice!.message.content = spiked(choice!.message.content, leak)
          if (n % 50 === 10) Object.assign(choice!.message, { content: null, refusal: `I will not say ${leak}` })
          if (n % 50 === 20) choice!.message.content = `no verdict, but ${leak}`
          response
            .writeHead(reply.statusCode ?? 500, {
              "content-type": "application/json",
              "x-request-id": encodeURIComponent(leak)
            })
            .end(JSON.stringify({ ...body, model: `${body.model} ${leak}`, system_fingerprint: leak }))
        })
      })
      onward.on("error", () => response.destroy())
      onward.end(Buffer.concat(chunks))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
