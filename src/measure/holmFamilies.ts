import { holm } from "../statistics/adjust.ts"
import type { JudgeComparison, Test } from "./judgeComparison.ts"

/** How many comparisons each kind of test is adjusted over: those that have it. */
export interface FamilySizes {
  readonly signTest: number
  readonly signFlip: number
  readonly swap: number
  readonly detectionSwap: number
  readonly mcnemar: number
  readonly falseAlarms: number
}

const testsOf = {
  signTest: ({ paired }: JudgeComparison) => paired.signTest,
  signFlip: ({ paired }: JudgeComparison) => paired.signFlip,
  swap: ({ paired }: JudgeComparison) => paired.swap,
  detectionSwap: ({ detection }: JudgeComparison) => detection?.swap,
  mcnemar: ({ detection }: JudgeComparison) => detection?.mcnemar,
  falseAlarms: ({ detection }: JudgeComparison) => detection?.falseAlarms
} as const

/** Over how many of the comparisons each test was made: the sizes of the families that Holm adjusts over. Method §4. */
export const familySizes = (comparisons: ReadonlyArray<JudgeComparison>): FamilySizes => {
  const size = (name: keyof typeof testsOf) => comparisons.filter((one) => testsOf[name](one) != null).length
  return {
    signTest: size("signTest"),
    signFlip: size("signFlip"),
    swap: size("swap"),
    detectionSwap: size("detectionSwap"),
    mcnemar: size("mcnemar"),
    falseAlarms: size("falseAlarms")
  }
}

/** The comparisons with Holm's adjustment, each kind of test over all comparisons that have it. */
export const adjusted = (comparisons: ReadonlyArray<JudgeComparison>): ReadonlyArray<JudgeComparison> => {
  const family = (name: keyof typeof testsOf) => {
    const having = comparisons.filter((one) => testsOf[name](one) != null)
    const values = holm(having.map((one) => testsOf[name](one)!.p))
    const found = new Map(having.map((one, at) => [one, values[at]!]))
    return <T extends Test>(one: JudgeComparison, test: T): T => ({ ...test, holm: found.get(one)! })
  }
  const sign = family("signTest")
  const flip = family("signFlip")
  const swap = family("swap")
  const detection = family("detectionSwap")
  const flags = family("mcnemar")
  const alarms = family("falseAlarms")
  return comparisons.map((one) => ({
    ...one,
    paired: {
      ...one.paired,
      signTest: one.paired.signTest === null ? null : sign(one, one.paired.signTest),
      signFlip: one.paired.signFlip === null ? null : flip(one, one.paired.signFlip),
      swap: one.paired.swap === null ? null : swap(one, one.paired.swap)
    },
    detection:
      one.detection === null
        ? null
        : {
            ...one.detection,
            swap: one.detection.swap === null ? null : detection(one, one.detection.swap),
            mcnemar: flags(one, one.detection.mcnemar),
            falseAlarms: alarms(one, one.detection.falseAlarms)
          }
  }))
}
