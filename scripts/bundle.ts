/**
 * Bundles the command line into `dist/bundle`, with what only some commands need (Ink, the OpenAI client, the tokenizer)
 * in chunks of their own: unbundled, loading Effect's many modules takes three times as long as the help text may.
 */
import { build } from "rolldown"

await build({
  input: { bin: "src/bin.ts" },
  platform: "node",
  external: [/^node:/, "react-devtools-core"],
  output: { cleanDir: true, dir: "dist/bundle", format: "esm", sourcemap: true, minify: true }
})
