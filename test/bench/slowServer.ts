/**
 * A server that takes its time and next to no CPU: `node slowServer.ts MILLISECONDS` prints its address and answers every
 * chat completion with the same score, so long after the request came in. `GET /stats` has the most requests at once.
 */
import { createServer } from "node:http"

const latencyMs = Number(process.argv[2])
const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "slow-1",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: '{"reason": "Nothing is missing that was said.", "score": 7}' },
      finish_reason: "stop"
    }
  ],
  usage: { prompt_tokens: 1800, completion_tokens: 20, total_tokens: 1820 }
})
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(answer) }

let inFlight = 0
let maxInFlight = 0
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const arrived = performance.now()
  if (request.method === "GET") {
    response.end(JSON.stringify({ maxInFlight }))
    return
  }
  maxInFlight = Math.max(maxInFlight, ++inFlight)
  request.resume().on("end", () => {
    setTimeout(
      () => {
        inFlight--
        response.writeHead(200, headers).end(answer)
      },
      latencyMs - (performance.now() - arrived)
    )
  })
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") console.log(`listening on http://127.0.0.1:${address.port}`)
})
