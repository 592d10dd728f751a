import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/bench/**"],
    testTimeout: 20_000,
    globalSetup: ["test/support/build.ts"]
  }
})
