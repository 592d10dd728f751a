import type { IncomingMessage } from "node:http"

/** Reads the body; gives undefined when it is above the limit. Never called back when the client goes away first. */
export const readBody = (request: IncomingMessage, limit: number, done: (bytes: Buffer | undefined) => void): void => {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    done(undefined)
    return
  }
  const parts: Array<Buffer> = []
  let size = 0
  let over = false
  request.on("data", (part: Buffer) => {
    if (over) return
    size += part.length
    if (size > limit) {
      over = true
      parts.length = 0
      done(undefined)
    } else parts.push(part)
  })
  request.on("end", () => {
    if (!over) done(Buffer.concat(parts))
  })
}
