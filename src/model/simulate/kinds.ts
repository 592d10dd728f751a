/**
 * What decides whether a fault comes again. `passing`: drawn anew for every attempt, so that asking again helps.
 * `lasting`: in the nature of the request, the same at every attempt. `server`: a matter of the account or the server,
 * drawn for every attempt but never part of a plain percentage, because one of them is to stop a campaign or to change
 * what it asks. `batch`: about a whole batch.
 */
export type Nature = "passing" | "lasting" | "server" | "batch"

/** Every kind of fault: its nature, and what the client sees. */
export const kinds = {
  "rate-limited": ["passing", "429, retry-after in seconds"],
  "rate-limited-date": ["passing", "429, retry-after as an HTTP date"],
  "server-error": ["passing", "500 with a JSON error"],
  "bad-gateway": ["passing", "502 with a gateway's HTML page"],
  unavailable: ["passing", "503 with retry-after"],
  reset: ["passing", "the connection is reset before the answer"],
  cut: ["passing", "the connection is reset in the middle of the body"],
  drip: ["passing", "the answer, whole and right, a byte at a time"],
  hang: ["passing", "no answer, ever"],
  stall: ["passing", "half of the body, then nothing, ever"],
  "truncated-json": ["passing", "200, JSON that breaks off"],
  "malformed-json": ["passing", "200, JSON that is not well formed"],
  "empty-content": ["passing", "200, a completion without text"],
  "empty-body": ["passing", "200, no body"],
  "html-page": ["passing", "200, an HTML page"],
  "wrong-type": ["passing", "200, the answer as application/octet-stream"],
  "event-stream": ["passing", "200, a stream of events that was not asked for"],
  "tool-calls": ["passing", "200, a tool call and no text"],
  "missing-usage": ["passing", "the answer without token counts"],
  "absurd-usage": ["passing", "the answer with impossible token counts"],
  "error-inside": ["passing", "200 with an error inside"],
  "key-echo": ["passing", "500 with the request's own API key in the message"],
  refusal: ["lasting", "the model declines"],
  "content-filter": ["lasting", "200, stopped by a content filter"],
  "prompt-filter": ["lasting", "400, the prompt is stopped by a content filter"],
  length: ["lasting", "all of the allowance goes to reasoning; passes at twice the first token limit"],
  "context-too-long": ["lasting", "400, the prompt does not fit"],
  "unsupported-parameter": ["server", "400 for one of the optional parameters that the request has"],
  unauthorised: ["server", "401, incorrect API key"],
  "no-credit": ["server", "429, insufficient_quota"],
  "payment-required": ["server", "402"],
  "batch-failed": ["batch", "the batch fails while it is validated"],
  "batch-expired": ["batch", "the batch expires with half of its lines answered"],
  "batch-lost": ["batch", "the batch is created, but the connection is reset before the client knows"]
} as const satisfies Readonly<Record<string, readonly [Nature, string]>>

export type FaultKind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as ReadonlyArray<FaultKind>

export const natureOf = (kind: FaultKind): Nature => kinds[kind][0]

const listed = (nature: Nature): string =>
  kindNames
    .filter((kind) => natureOf(kind) === nature)
    .map((kind) => `  ${kind.padEnd(22)}${kinds[kind][1]}`)
    .join("\n")

/** For `--help`. */
export const faultsHelp = `--faults takes a list such as 30% or rate-limited=5%,hang=1%,outage=10s..20s.

30% is shared evenly by all passing and lasting kinds; passing=30% and lasting=5% by the kinds of one nature. A kind
named beside them keeps its own share, so "30%,hang=0%" is without hangs. Passing kinds are drawn for each attempt,
lasting ones once for each request; KIND:always=1% and KIND:passing=1% turn that round. Which fault an attempt gets
follows from --seed, the request without its token limit, and how many times it was let in before, and from nothing else.

KIND=10s..20s gives every request of that time the fault, counted from the start; 10s.. has no end. outage=10s..20s
closes the port and all connections.

passing, at most --faults-at-most in a row:
${listed("passing")}

lasting, the same at every attempt:
${listed("lasting")}

of the account or the server, only when named:
${listed("server")}

of whole batches, only when named (a line of a batch gets the kinds above; where those break a connection, the line is missing):
${listed("batch")}`
