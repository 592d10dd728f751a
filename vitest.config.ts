import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/longestFirst.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/bench/**"],
    // Against hangs only: nothing is asserted of how long a test takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Half of what a file with small tests cost was to load the same modules again.
    isolate: false,
    globalSetup: ["test/support/build.ts", "test/support/fixtures.ts"],
    // Much of what the end-to-end tests do is done by other processes, and waited for.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst }
  }
})
