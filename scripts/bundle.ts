/**
 * Bundles the command line into `dist/bundle`, with what only some commands need (Ink, the OpenAI client, the tokenizer)
 * in chunks of their own: unbundled, loading Effect's many modules takes three times as long as the help text may. And
 * the script of the HTML report into `dist/client/report.js`, one file that a page holds inline.
 */
import { build } from "rolldown"

await build({
  input: { bin: "src/bin.ts" },
  platform: "node",
  external: [/^node:/, "react-devtools-core"],
  output: { cleanDir: true, dir: "dist/bundle", format: "esm", sourcemap: true, minify: true }
})

const { output } = await build({
  input: "src/report/html/client/main.ts",
  platform: "browser",
  external: [/^node:/],
  // Of modules that the command line uses too, only what the page needs: nothing in them acts on being loaded.
  treeshake: {
    moduleSideEffects: [
      { test: /report\/html\/client\/main\.ts$/, sideEffects: true },
      { test: /./, sideEffects: false }
    ]
  },
  output: { file: "dist/client/report.js", format: "iife", minify: true }
})
if (output.length !== 1 || output[0].imports.length > 0)
  throw new Error(
    `the report's script must be one file without imports, and is not: ${output.flatMap((one) => (one.type === "chunk" ? one.imports : one.fileName)).join(", ")}`
  )
