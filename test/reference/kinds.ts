import { answerability, f1Change } from "../../src/measure/answerability.ts"
import { bothCorrectRates, countPairVerdicts } from "../../src/measure/bothCorrect.ts"
import { type Confusion, classificationMetrics } from "../../src/measure/classification.ts"
import { auc, countPairs, pairedDiscrimination, pairOutcomes } from "../../src/measure/discrimination.ts"
import { operatingPoints } from "../../src/measure/operatingPoint.ts"
import { type ScoredQuestion, scoreQuestion } from "../../src/measure/squad.ts"
import { benjaminiHochberg, holm } from "../../src/statistics/adjust.ts"
import { cohenKappa, fleissKappa, rawAgreement } from "../../src/statistics/agreement.ts"
import { boschloo } from "../../src/statistics/boschloo.ts"
import { clopperPearson } from "../../src/statistics/clopperPearson.ts"
import { type BootstrapResult, resampleClusters } from "../../src/statistics/clusterBootstrap.ts"
import { clusterSignFlip, clusterSwap } from "../../src/statistics/clusterPermutation.ts"
import { cochranQ } from "../../src/statistics/cochranQ.ts"
import { kendallTauB, pearson, spearman } from "../../src/statistics/correlation.ts"
import { fisherExact, type TwoProportions } from "../../src/statistics/fisher.ts"
import { jaccardMatrix, jaccardSimilarity } from "../../src/statistics/jaccard.ts"
import { greedyMatching, type Match, optimalMatching } from "../../src/statistics/matching.ts"
import { zOf } from "../../src/statistics/normal.ts"
import { signTest } from "../../src/statistics/signTest.ts"
import { wilcoxon } from "../../src/statistics/wilcoxon.ts"
import { wilson } from "../../src/statistics/wilson.ts"
import { winsorisedMean } from "../../src/statistics/winsorisedMean.ts"
import type { Json } from "./compare.ts"

type Output = Readonly<Record<string, Json>>

/** How one kind of the file is computed here, and how many cases it has: a case that vanishes is a failure too. */
interface Kind {
  readonly cases: number
  readonly run: (input: never) => Output
  readonly notOffered?: ReadonlyArray<string>
}

const known = (scores: ReadonlyArray<number | null>): ReadonlyArray<number> =>
  scores.map((score) => score ?? Number.NaN)

export const clusterSums = (clusters: ReadonlyArray<ReadonlyArray<number>>) => ({
  numerators: clusters.map((outcomes) => outcomes.reduce((sum, outcome) => sum + outcome, 0)),
  denominators: clusters.map((outcomes) => outcomes.length)
})

interface Question {
  readonly golds: ReadonlyArray<string>
  readonly prediction: string | null
}

interface Sides {
  readonly clean: ReadonlyArray<number | null>
  readonly flawed: ReadonlyArray<number | null>
}

const bootstrapOutput = (result: BootstrapResult | null): Output =>
  result === null
    ? { estimate: null, n_clusters: 0, mean: null, se: null, ci95: null, ci90: null }
    : { estimate: result.estimate, n_clusters: result.clusters }

const matching = (matches: ReadonlyArray<Match>) => ({
  pairs: matches.map(({ left, right, similarity }) => [left, right, similarity]),
  count: matches.length,
  total: matches.reduce((sum, match) => sum + match.similarity, 0)
})

/** The greatest score below the threshold: a note is flagged at or below it just when it is below the threshold. */
const inclusive = (threshold: number, scores: ReadonlyArray<number>): number | string => {
  const below = scores.filter((score) => score < threshold)
  return below.length === 0 ? "-inf" : Math.max(...below)
}

export const kinds: Readonly<Record<string, Kind>> = {
  wilson_interval: {
    cases: 13,
    run: ({ k, n }: { k: number; n: number }) => ({ ci95: wilson(k, n), ci90: wilson(k, n, zOf(0.9)) })
  },
  clopper_pearson_interval: {
    cases: 13,
    run: ({ k, n }: { k: number; n: number }) => ({ ci95: clopperPearson(k, n), ci90: clopperPearson(k, n, 0.9) })
  },
  mcnemar_exact: { cases: 14, run: ({ b, c }: { b: number; c: number }) => ({ p: signTest(b, c) }) },
  adjust_p_values: {
    cases: 12,
    run: ({ p }: { p: ReadonlyArray<number> }) => ({ holm: holm(p), bh: benjaminiHochberg(p) })
  },
  boschloo_fisher: {
    cases: 12,
    notOffered: ["boschloo_minlike_p"],
    run: (table: TwoProportions) => {
      const [fisher, unconditional] = [fisherExact(table), boschloo(table)]
      return {
        fisher_less: fisher.less,
        fisher_greater: fisher.greater,
        fisher_two_sided: fisher.twoSided,
        boschloo_less: unconditional.less,
        boschloo_greater: unconditional.greater,
        boschloo_p: unconditional.twoSided
      }
    }
  },
  paired_discrimination: {
    cases: 11,
    run: ({ clean, flawed }: Sides) => {
      const counts = countPairs(pairOutcomes(known(flawed), known(clean)))
      return {
        value: pairedDiscrimination(counts),
        n_pairs: counts.pairs,
        n_excluded: clean.length - counts.pairs,
        wins: counts.wins,
        ties: counts.ties,
        losses: counts.losses
      }
    }
  },
  roc_auc: {
    cases: 12,
    run: ({ clean, flawed }: Sides) => ({
      auc: auc(known(flawed), known(clean)),
      n_clean: clean.filter((score) => score !== null).length,
      n_flawed: flawed.filter((score) => score !== null).length
    })
  },
  threshold_sweep: {
    cases: 12,
    run: ({ clean, flawed }: { clean: ReadonlyArray<number>; flawed: ReadonlyArray<number> }) => {
      const caps = [0.1, 0.05, 0]
      const points = operatingPoints(flawed, clean, caps)
      return {
        results: caps.map((cap, i) => {
          const point = points?.[i]
          if (point === undefined) return { max_false_alarm: cap, threshold: null, detection: null, false_alarm: null }
          return {
            max_false_alarm: cap,
            threshold: inclusive(point.threshold, [...clean, ...flawed]),
            detection: point.detected / point.flawed,
            false_alarm: point.falseAlarms / point.clean
          }
        })
      }
    }
  },
  cluster_bootstrap_exact: {
    cases: 11,
    // The distribution is held to the monte_carlo brackets instead.
    notOffered: ["n_resamples", "support", "mean", "se", "ci95", "ci90"],
    run: ({ clusters }: { clusters: ReadonlyArray<ReadonlyArray<number>> }) =>
      bootstrapOutput(resampleClusters(clusterSums(clusters), { seed: 11 }))
  },
  cluster_bootstrap_mc: {
    cases: 7,
    run: ({ clusters }: { clusters: ReadonlyArray<ReadonlyArray<number>> }) =>
      bootstrapOutput(resampleClusters(clusterSums(clusters), { seed: 11 }))
  },
  cohen_kappa: {
    cases: 12,
    run: ({
      categories,
      a,
      b
    }: {
      categories: ReadonlyArray<Json>
      a: ReadonlyArray<Json>
      b: ReadonlyArray<Json>
    }) => ({
      kappa: cohenKappa(categories, a, b),
      kappa_linear: cohenKappa(categories, a, b, "linear"),
      kappa_quadratic: cohenKappa(categories, a, b, "quadratic"),
      raw_agreement: rawAgreement(a, b)
    })
  },
  fleiss_kappa: {
    cases: 10,
    run: ({ counts }: { counts: ReadonlyArray<ReadonlyArray<number>> }) => {
      const result = fleissKappa(counts)
      return { kappa: result.kappa, raw_agreement: result.rawAgreement }
    }
  },
  cochran_q: { cases: 8, run: ({ x }: { x: ReadonlyArray<ReadonlyArray<0 | 1>> }) => ({ ...cochranQ(x) }) },
  wilcoxon_signed_rank: {
    cases: 12,
    run: ({ d, method }: { d: ReadonlyArray<number>; method: "exact" | "approx" }) => {
      const forced = wilcoxon(d, method === "exact" ? "exact" : "normal")
      const chosen = wilcoxon(d)
      return {
        statistic: forced.statistic,
        w_plus: forced.wPlus,
        n_nonzero: forced.n,
        // Left to choose it must choose what the file chose; no difference at all has no method.
        p: d.length > 0 && chosen.method !== forced.method ? "another method was chosen" : forced.p
      }
    }
  },
  correlations: {
    cases: 12,
    run: ({ x, y }: { x: ReadonlyArray<number>; y: ReadonlyArray<number> }) => ({
      kendall_tau_b: kendallTauB(x, y),
      spearman: spearman(x, y),
      pearson: pearson(x, y)
    })
  },
  classification_metrics: {
    cases: 12,
    run: (counts: Confusion) => {
      const metrics = classificationMetrics(counts)
      return {
        precision: metrics.precision,
        recall: metrics.recall,
        specificity: metrics.specificity,
        f1: metrics.f1,
        balanced_accuracy: metrics.balancedAccuracy,
        mcc: metrics.mcc
      }
    }
  },
  both_correct_rate: {
    cases: 12,
    run: (flags: { flawed_flagged: ReadonlyArray<boolean | null>; clean_flagged: ReadonlyArray<boolean | null> }) => {
      const counts = countPairVerdicts(flags.flawed_flagged, flags.clean_flagged)
      const rates = bothCorrectRates(counts)
      return {
        n_pairs: counts.pairs,
        bcr: rates?.bothCorrect ?? null,
        pred1: rates?.pred1 ?? null,
        pred0: rates?.pred0 ?? null,
        both_wrong: rates?.bothWrong ?? null,
        sensitivity: rates?.sensitivity ?? null,
        specificity: rates?.specificity ?? null,
        expected_bcr: rates?.expected ?? null,
        independence_ratio: rates?.independenceRatio ?? null
      }
    }
  },
  squad_question: {
    cases: 24,
    run: (question: Question) => {
      const { f1, em, answered } = scoreQuestion(question)
      return { f1, em, answered }
    }
  },
  squad_aggregate: {
    cases: 9,
    run: ({ questions }: { questions: ReadonlyArray<Question> }) => {
      const result = answerability(questions.map(scoreQuestion))
      return {
        n: result.questions,
        n_answerable: result.answerable,
        n_answered_answerable: result.answeredAnswerable,
        f1: result.f1,
        em: result.em,
        has_ans_f1: result.answerableF1,
        has_ans_em: result.answerableEm,
        far: result.falseAnswerRate,
        oar: result.overAbstentionRate,
        extraction_f1: result.extractionF1
      }
    }
  },
  squad_delta: {
    cases: 10,
    run: (input: {
      questions: ReadonlyArray<{
        golds: ReadonlyArray<string>
        prediction_a: string | null
        prediction_b: string | null
      }>
    }) => {
      const scored = (side: "prediction_a" | "prediction_b"): ReadonlyArray<ScoredQuestion> =>
        input.questions.map((question) => scoreQuestion({ golds: question.golds, prediction: question[side] }))
      const change = f1Change(scored("prediction_a"), scored("prediction_b"))
      const only = change?.answerableOnly ?? null
      return {
        f1_a: change?.f1A ?? null,
        f1_b: change?.f1B ?? null,
        delta: change?.delta ?? null,
        extraction_term: change?.extraction ?? null,
        answerability_shift: change?.answerabilityShift ?? null,
        shift_answerable: change?.shiftAnswerable ?? null,
        shift_unanswerable: change?.shiftUnanswerable ?? null,
        has_ans:
          only === null
            ? null
            : { delta: only.delta, extraction_term: only.extraction, answerability_shift: only.answerabilityShift }
      }
    }
  },
  winsorised_mean: {
    cases: 12,
    run: ({ scores, limit }: { scores: ReadonlyArray<number>; limit: number }) => ({
      mean: winsorisedMean(scores, limit),
      n_each_end: Math.floor(limit * scores.length)
    })
  },
  jaccard_similarity: {
    cases: 12,
    run: ({ a, b }: { a: string; b: string }) => ({ similarity: jaccardSimilarity(a, b) })
  },
  jaccard_matching: {
    cases: 11,
    run: (input: { left: ReadonlyArray<string>; right: ReadonlyArray<string>; threshold: number }) => {
      const similarity = jaccardMatrix(input.left, input.right)
      return {
        similarity,
        greedy: matching(greedyMatching(similarity, input.threshold)),
        optimal: matching(optimalMatching(similarity, input.threshold))
      }
    }
  },
  sign_flip_test: {
    cases: 13,
    run: ({ clusters }: { clusters: ReadonlyArray<ReadonlyArray<number>> }) => {
      const result = clusterSignFlip(clusters, { seed: 11 })
      return {
        statistic: result?.statistic ?? null,
        n_clusters: result?.clusters ?? 0,
        n_arrangements: result?.arrangements ?? 0,
        n_extreme: result?.extreme ?? 0,
        p: result?.p ?? null
      }
    }
  },
  judge_swap_test: {
    cases: 12,
    run: (input: {
      pairs: ReadonlyArray<{
        cluster: string
        a_clean: number | null
        a_flawed: number | null
        b_clean: number | null
        b_flawed: number | null
      }>
    }) => {
      const scores = (column: "a_clean" | "a_flawed" | "b_clean" | "b_flawed") =>
        known(input.pairs.map((pair) => pair[column]))
      const result = clusterSwap(
        pairOutcomes(scores("a_flawed"), scores("a_clean")),
        pairOutcomes(scores("b_flawed"), scores("b_clean")),
        input.pairs.map((pair) => pair.cluster),
        { seed: 11 }
      )
      return {
        discrimination_a: result?.a ?? null,
        discrimination_b: result?.b ?? null,
        statistic: result?.statistic ?? null,
        n_pairs: result?.pairs ?? 0,
        n_clusters: result?.clusters ?? 0,
        n_arrangements: result?.arrangements ?? 0,
        n_extreme: result?.extreme ?? 0,
        p: result?.p ?? null
      }
    }
  }
}
