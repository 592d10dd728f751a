import type { ServerResponse } from "node:http"
import type { Wire } from "./faultedAnswer.ts"

/** Longer than loopback takes to hand over the first half, which a reset would otherwise overtake. */
const beforeCutMs = 20

/** Sends what goes over the wire in the way that it goes. Stops by itself when the client goes away. */
export const deliver = (response: ServerResponse, wire: Wire, dripMs: number): void => {
  if (response.writableEnded || response.destroyed) return
  if (wire.delivery === "hang") return
  if (wire.delivery === "reset") {
    response.socket?.resetAndDestroy()
    return
  }
  const bytes = Buffer.from(wire.body)
  response.writeHead(wire.status, { ...wire.headers, "content-length": bytes.length })
  if (wire.delivery === "whole") {
    response.end(bytes)
    return
  }
  if (wire.delivery === "drip") {
    let sent = 0
    const timer = setInterval(() => {
      sent++
      if (sent < bytes.length) response.write(bytes.subarray(sent - 1, sent))
      else {
        clearInterval(timer)
        response.end(bytes.subarray(sent - 1))
      }
    }, dripMs)
    response.once("close", () => clearInterval(timer))
    return
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    if (wire.delivery !== "cut") return
    const timer = setTimeout(() => response.socket?.resetAndDestroy(), beforeCutMs)
    response.once("close", () => clearTimeout(timer))
  })
}
