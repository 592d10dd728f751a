import type { FamilySizes } from "../measure/holmFamilies.ts"
import type { Test } from "../measure/judgeComparison.ts"
import type { ComparisonReport } from "../measure/scoreReport.ts"
import { bounds, fixed, intervalRemarks, plural, pText, rate, type Section, signed, threshold } from "./scoreFormat.ts"

const rowsOf = (one: ComparisonReport, families: FamilySizes): ReadonlyArray<ReadonlyArray<string | number>> => {
  const { detection: flags, paired } = one
  const difference = (
    a: number | null | undefined,
    b: number | null | undefined,
    of: { readonly difference: number | null } & Parameters<typeof bounds>[0]
  ) => `${fixed(a)} − ${fixed(b)} = ${signed(of.difference)} ${bounds(of)}`
  const test = (name: string, what: string, result: Test | null, family: number) =>
    result === null ? [] : [[name, pText(result.p), `${pText(result.holm)} (${family})`, what]]
  const several = paired.replicates.length > 1 || one.a.replicates.length > 1 || one.b.replicates.length > 1
  return [
    ["", "p", "Holm (of)", ""],
    ["paired", "", "", difference(one.a.paired.value, one.b.paired.value, paired)],
    ...test(
      "sign test",
      `${paired.better} better, ${paired.worse} worse, ${paired.same} alike`,
      paired.signTest,
      families.signTest
    ),
    ...test(
      "cluster sign flip",
      `mean over consultations ${signed(paired.signFlip?.statistic ?? null)}, ${paired.signFlip?.exact === true ? "exact" : "drawn"}`,
      paired.signFlip,
      families.signFlip
    ),
    ...test(
      "swap permutation",
      `mean over pairs ${signed(paired.swap?.statistic ?? null)}, ${paired.swap?.exact === true ? "exact" : "drawn"}`,
      paired.swap,
      families.swap
    ),
    ...(several
      ? paired.replicates.map(({ a, b, difference: own, pairs, valueA, valueB }) => [
          `replicate ${a === b ? a : `${a}, ${b}`}`,
          "",
          "",
          `${fixed(valueA)} − ${fixed(valueB)} = ${signed(own)}, ${plural(pairs, "pair")}`
        ])
      : []),
    ...(flags === null
      ? []
      : [
          [
            "detection",
            "",
            "",
            `${rate(one.a.operating?.detection)} against ${rate(one.b.operating?.detection)}: ${signed(flags.difference)} ${bounds(flags)}`
          ],
          ...test(
            "detection swap",
            `thresholds chosen anew in each arrangement, ${flags.swap?.exact === true ? "exact" : "drawn"}`,
            flags.swap,
            families.detectionSwap
          ),
          ...test(
            "McNemar, flawed",
            `only the first ${flags.mcnemar.onlyA}, only the second ${flags.mcnemar.onlyB}`,
            flags.mcnemar,
            families.mcnemar
          ),
          ...test(
            "McNemar, clean",
            `only the first ${flags.falseAlarms.onlyA}, only the second ${flags.falseAlarms.onlyB}`,
            flags.falseAlarms,
            families.falseAlarms
          )
        ])
  ]
}

const noiseRemark = ({ noise }: ComparisonReport): string => {
  if (noise === null) return "without replicates there is no noise floor to hold the difference against"
  const floor = Math.max(noise.rangeA ?? 0, noise.rangeB ?? 0)
  return floor === 0
    ? "no difference between replicates of one judge was seen, which is no proof that there is none"
    : `replicates of one judge differ by up to ${fixed(floor)} paired${noise.ratio === null ? "" : `; the difference is ${fixed(noise.ratio, 1)} times that`}`
}

/** One judge against another: the differences, the tests with their Holm-adjusted p, and what they rest on. */
export const comparison = (one: ComparisonReport, families: FamilySizes): Section => {
  const title = `${one.a.judge} against ${one.b.judge}`
  const { notJudged, unparsed } = one.leftOut
  const left = `${notJudged} not judged by both, ${unparsed} not readable`
  if (one.pairs === 0) {
    return { title, rows: [], remarks: [`share no pairs, so there is nothing to compare: ${left}`] }
  }
  const rows = rowsOf(one, families)
  const several = one.a.replicates.length > 1 || one.b.replicates.length > 1
  return {
    title,
    rows,
    remarks: [
      `on ${plural(one.pairs, "pair")} of ${plural(one.consultations, "consultation")} that both could rank; ${notJudged + unparsed === 0 ? "none left out" : `${notJudged + unparsed} left out: ${left}`}${one.thin ? "; thin: fewer than 30 pairs or 10 consultations" : ""}`,
      ...(several
        ? [
            `paired: of each pair's mean outcome over ${plural(one.a.replicates.length, "replicate")} against ${one.b.replicates.length}; detection, its swap and McNemar: of the first replicate of each`
          ]
        : []),
      ...(one.detection?.swap == null
        ? []
        : ["detection: its interval chooses both thresholds anew in each resample; McNemar takes them as they are"]),
      `McNemar: flags at each side's own threshold (${threshold(one.a.operating?.threshold)}, ${threshold(one.b.operating?.threshold)}); false alarms ${rate(one.a.operating?.falseAlarms)} against ${rate(one.b.operating?.falseAlarms)}; Holm: each test over as many comparisons as stand in brackets`,
      noiseRemark(one),
      ...intervalRemarks(rows)
    ]
  }
}
