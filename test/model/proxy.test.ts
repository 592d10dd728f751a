import { createServer as createHttp, request as forward, type Server } from "node:http"
import { type AddressInfo, connect, createServer as createTcp, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import * as openai from "../../src/model/openai.ts"
import { chatServer, completion, json } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

/** A proxy that forwards requests, and opens tunnels, to one server whatever they are for. It notes what it was asked. */
const proxyTo = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly url: string
      readonly asked: Array<string>
      readonly authorization: Array<string | undefined>
      readonly server: Server
    }>((resume) => {
      const asked: Array<string> = []
      const authorization: Array<string | undefined> = []
      const server = createHttp((incoming, response) => {
        asked.push(`${incoming.method} ${incoming.url}`)
        authorization.push(incoming.headers["proxy-authorization"])
        const { pathname } = new URL(incoming.url ?? "/", "http://unknown")
        const { "proxy-authorization": _, ...headers } = incoming.headers
        const onward = forward({ host: "127.0.0.1", port, path: pathname, method: "POST", headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        incoming.pipe(onward)
      })
      server.on("connect", (incoming, socket: Socket) => {
        asked.push(`CONNECT ${incoming.url}`)
        authorization.push(incoming.headers["proxy-authorization"])
        const onward = connect(port, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
          socket.pipe(onward)
          onward.pipe(socket)
        })
        onward.on("error", () => socket.destroy())
        socket.on("error", () => onward.destroy())
      })
      server.listen(0, "127.0.0.1", () => {
        const { port: own } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `127.0.0.1:${own}`, asked, authorization, server }))
      })
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"]

const withEnvironment = <A, E, R>(variables: Readonly<Record<string, string>>, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      for (const name of names) vi.stubEnv(name, variables[name])
    }),
    () => effect,
    () => Effect.sync(() => vi.unstubAllEnvs())
  )

const portOf = (url: string) => Number(new URL(url).port)

describe("proxies of the environment", () => {
  it.live("are used for addresses on other machines, with their own user and password", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(json(completion("through")))
      const proxy = yield* proxyTo(portOf(server.url))
      yield* withEnvironment(
        { HTTP_PROXY: `http://me:pw@${proxy.url}` },
        Effect.gen(function* () {
          const provider = yield* openai.make
          const model = openaiModel({ baseUrl: "http://models.example:8000/v1" })
          assert.strictEqual((yield* provider(request(model))).text, "through")
        })
      )
      assert.strictEqual(proxy.asked.length, 1)
      assert.match(
        proxy.asked[0]!,
        /^(POST http:\/\/models\.example:8000\/v1\/chat\/completions|CONNECT models\.example:8000)$/
      )
      assert.strictEqual(proxy.authorization[0], `Basic ${Buffer.from("me:pw").toString("base64")}`)
      assert.isUndefined(server.received[0]!.headers["proxy-authorization"])
    })
  )

  it.live("open tunnels for https", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(json(completion("x")))
      const proxy = yield* proxyTo(portOf(server.url))
      yield* withEnvironment(
        { HTTPS_PROXY: `http://${proxy.url}` },
        Effect.gen(function* () {
          const provider = yield* openai.make
          const model = openaiModel({ baseUrl: "https://models.example/v1", timeout: "5 s" })
          // The server behind the tunnel speaks no TLS: that it is asked through one is all that can be seen.
          assert.strictEqual((yield* Effect.flip(provider(request(model)))).kind, "unreachable")
        })
      )
      assert.deepStrictEqual(proxy.asked, ["CONNECT models.example:443"])
      assert.strictEqual(server.received.length, 0)
    })
  )

  it.live("are not used for this machine, nor for what NO_PROXY names", () =>
    Effect.gen(function* () {
      const server = yield* chatServer(json(completion("straight")))
      const proxy = yield* proxyTo(1)
      yield* withEnvironment(
        { HTTP_PROXY: `http://${proxy.url}`, NO_PROXY: "models.invalid" },
        Effect.gen(function* () {
          const provider = yield* openai.make
          assert.strictEqual((yield* provider(request(openaiModel({ baseUrl: server.url })))).text, "straight")
          const named = openaiModel({ baseUrl: "http://models.invalid/v1" })
          assert.strictEqual((yield* Effect.flip(provider(request(named)))).kind, "unreachable")
        })
      )
      assert.deepStrictEqual(proxy.asked, [])
    })
  )

  it.live("that are gone are told as the connection that cannot be had", () =>
    withEnvironment(
      { HTTP_PROXY: "http://127.0.0.1:1" },
      Effect.gen(function* () {
        const provider = yield* openai.make
        const failed = yield* Effect.flip(provider(request(openaiModel({ baseUrl: "http://models.example/v1" }))))
        assert.strictEqual(failed.kind, "unreachable")
        assert.include(failed.message, "connection refused")
      })
    )
  )
})

describe("the time to connect", () => {
  it.live("is limited apart from the time for the answer", () =>
    Effect.gen(function* () {
      // It takes connections and says nothing, not even what TLS begins with.
      const silent = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createTcp>>((resume) => {
          const server = createTcp()
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      silent.on("connection", (socket: Socket) => socket.on("error", () => {}))
      const { port } = silent.address() as AddressInfo
      const provider = yield* openai.make
      const model = openaiModel({
        baseUrl: `https://127.0.0.1:${port}/v1`,
        connectTimeout: "200 ms",
        timeout: "1 minute"
      })
      const failed = yield* Effect.flip(provider(request(model)))
      assert.strictEqual(failed.kind, "unreachable")
      assert.include(failed.message, "no connection in time: check the network or the proxy")
    })
  )
})
