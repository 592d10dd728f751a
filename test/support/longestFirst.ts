import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files of more than some ten seconds on two cores, the longest first: begun last, one of them would keep all waiting. */
const longest = [
  "test/e2e/soak.test.ts",
  "test/e2e/primock.test.ts",
  "test/e2e/confirm.test.ts",
  "test/e2e/resume.test.ts",
  "test/e2e/secrets.test.ts",
  "test/e2e/wall.test.ts",
  "test/e2e/readme.test.ts",
  "test/confirm/nullCampaign.test.ts",
  "test/e2e/batch.test.ts",
  "test/e2e/flow.test.ts",
  "test/model/batch/hostile.test.ts",
  "test/model/batch/batch.test.ts",
  "test/e2e/sharedStore.test.ts",
  "test/terminal/liveTerminal.test.ts"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((file) => moduleId.endsWith(file))
  if (at !== -1) return at
  return longest.length + (moduleId.includes("/test/e2e/") ? 0 : 1)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
