import { connect } from "node:net"
import * as Effect from "effect/Effect"
import { messages } from "../../../src/judge/wholeNoteScore.ts"

export const asked = messages(
  { transcript: "Doctor: Any pain?\nPatient: My left knee.", note: "Left knee pain." },
  "Decide whether the note is complete."
)
export const chatBody = { model: "lexical-1", messages: asked, seed: 42 }
export const responsesBody = { model: "lexical-1", input: asked, seed: 42 }

/** Bytes as they came, and how they ended: by the server's end or reset, or not at all while the client waited. */
export interface Raw {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ended: "end" | "reset" | "open" | "refused"
}

export interface RawRequest {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How long to wait for the server's next byte. */
  readonly quietMs?: number
}

const read = (text: string, ended: Raw["ended"]): Raw => {
  const split = text.indexOf("\r\n\r\n")
  if (split < 0) return { status: undefined, headers: {}, body: "", ended }
  const [first = "", ...lines] = text.slice(0, split).split("\r\n")
  const headers = lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(split + 4),
    ended
  }
}

/** One POST on a connection of its own, with no HTTP library between. */
export const rawPost = (
  url: string,
  value: unknown,
  { headers = {}, path = "/v1/chat/completions", quietMs = 400 }: RawRequest = {}
) =>
  Effect.callback<Raw>((resume) => {
    const body = Buffer.from(JSON.stringify(value))
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    const chunks: Array<Buffer> = []
    const done = (ended: Raw["ended"]) => {
      socket.destroy()
      resume(Effect.succeed(read(Buffer.concat(chunks).toString("utf8"), ended)))
    }
    const fields = {
      host: "127.0.0.1",
      connection: "close",
      "content-type": "application/json",
      ...headers,
      "content-length": String(body.length)
    }
    socket.setTimeout(quietMs, () => done("open"))
    socket.on("error", (error: NodeJS.ErrnoException) => done(error.code === "ECONNREFUSED" ? "refused" : "reset"))
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("end", () => done("end"))
    socket.write(
      `POST ${path} HTTP/1.1\r\n${Object.entries(fields)
        .map(([name, text]) => `${name}: ${text}\r\n`)
        .join("")}\r\n`
    )
    socket.write(body)
  })
