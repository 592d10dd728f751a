import { defineConfig } from "rolldown"

/**
 * The command line in one piece, with what only some commands need (Ink, the OpenAI client, YAML) in chunks of their
 * own: unbundled, loading Effect's many modules takes three times as long as the help text may.
 */
export default defineConfig({
  input: { bin: "src/bin.ts" },
  platform: "node",
  external: [/^node:/, "react-devtools-core"],
  output: { cleanDir: true, dir: "dist/bundle", format: "esm", sourcemap: true, minify: true }
})
