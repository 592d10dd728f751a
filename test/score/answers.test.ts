import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { healthBenchMeta } from "../../src/dataset/import/healthBenchMeta.ts"
import { squad2 } from "../../src/dataset/import/squad.ts"
import type { AnswersReport } from "../../src/report/answersReport.ts"
import type { LabelsReport } from "../../src/report/labelsReport.ts"
import { inFolder, lines, write } from "../dataset/support.ts"
import { runScore } from "./support.ts"

const texts = Array.from({ length: 12 }, (_, at) => at)

/** Twelve texts with an answerable and an unanswerable question each, as the importer of SQuAD writes them. */
const questions = (folder: string) =>
  Effect.gen(function* () {
    const source = write(
      folder,
      "dev.json",
      JSON.stringify({
        data: texts.map((at) => ({
          title: `text ${at}`,
          paragraphs: [
            {
              context: `The dose is ${at} mg of aspirin daily.`,
              qas: [
                { id: `yes-${at}`, question: "Which dose?", answers: [{ text: `${at} mg`, answer_start: 12 }] },
                { id: `no-${at}`, question: "Since when?", answers: [], is_impossible: true }
              ]
            }
          ]
        }))
      })
    )
    const imported = yield* squad2.run(source)
    return write(folder, "questions.jsonl", lines(imported.instead!.lines))
  })

const refusal = (ran: { readonly result: { readonly _tag: string; readonly failure?: unknown } }) =>
  ran.result._tag === "Failure" ? String((ran.result.failure as Error).message) : ""

describe("score --questions --answers", () => {
  it.effect("counts false answers and over-abstentions, and splits the change of F1 between two conditions", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = yield* questions(folder)
        const rows = texts.flatMap((at) => [
          // From the note: everything is answered, the dose with a word too many.
          { question: `yes-${at}`, model: "m", condition: "note", answer: `${at} mg daily`, confidence: 0.9 },
          { question: `no-${at}`, model: "m", condition: "note", answer: "a week", confidence: 0.4 },
          // From the transcript: exact, but a third is declined, right where there is no answer.
          { question: `yes-${at}`, model: "m", condition: "transcript", answer: at % 3 === 0 ? "" : [`${at} mg`, "x"] },
          { question: `no-${at}`, model: "m", condition: "transcript", answer: at % 3 === 0 ? null : "a week" }
        ])
        const csv = join(folder, "f.csv")
        const ran = yield* runScore(
          "--questions",
          file,
          "--answers",
          write(folder, "a.jsonl", lines(rows)),
          "--csv",
          csv,
          "--json"
        )
        const { comparisons, counts, systems } = JSON.parse(ran.out) as AnswersReport
        assert.deepStrictEqual(counts, { questions: 24, answerable: 12, groups: 12 })
        assert.deepStrictEqual(
          systems.map(({ figures, system }) => [
            system,
            figures.falseAnswerRate.value,
            figures.overAbstentionRate.value,
            Math.round(figures.extractionF1.value! * 1e9) / 1e9,
            figures.extractionF1.n,
            figures.confidenceAuc?.value ?? null
          ]),
          [
            ["m / note", 1, 0, 0.8, 12, 1],
            ["m / transcript", 8 / 12, 4 / 12, 1, 8, null]
          ]
        )
        assert.deepStrictEqual(systems[0]!.figures.falseAnswerRate.intervalNote, "clopper-pearson-on-consultations")
        assert.deepStrictEqual(systems[0]!.figures.extractionF1.intervalNote, "all-alike")
        const { a, b, change, intervals, selectivity, test } = comparisons[0]!
        assert.deepStrictEqual([a, b], ["m / transcript", "m / note"])
        // Eight answers gain 0.2; four answerable ones lose 0.8 and four unanswerable ones gain 1.
        assert.approximately(change!.extraction, (8 * 0.2) / 24, 1e-12)
        assert.approximately(change!.answerabilityShift, (4 * -0.8 + 4) / 24, 1e-12)
        assert.approximately(change!.delta, change!.extraction + change!.answerabilityShift, 1e-12)
        assert.isBelow(intervals.extraction.interval![0], change!.extraction)
        assert.isAbove(intervals.extraction.interval![1], change!.extraction)
        assert.deepStrictEqual([selectivity.newlyDeclined, selectivity.stillAnswered], [4, 8])
        assert.approximately(selectivity.difference!, 0, 1e-12)
        assert.strictEqual(selectivity.withdrawnGood, 1)
        assert.strictEqual(test!.holm, test!.p)
        const table = readFileSync(csv, "utf8")
        assert.match(table, /^m \/ note,,false answers \(FAR\),1,0\.735\d+,1,12,12,/m)
        assert.match(table, /^m \/ transcript,m \/ note,F1 difference,0\.(?:1|0999)/m)
      })
    )
  )

  it.effect("runs three models through the consensus gate, out of CSV and SQuAD's predictions", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = yield* questions(folder)
        const careful = texts.map((at) => `yes-${at},${at} mg\nno-${at},\n`).join("")
        const bold = Object.fromEntries(
          texts.flatMap((at) => [
            [`yes-${at}`, `${at} mg`],
            [`no-${at}`, "a week"]
          ])
        )
        const ran = yield* runScore(
          "--questions",
          file,
          "--answers",
          write(folder, "careful.csv", `question,answer\n${careful}`),
          "--answers",
          write(folder, "shy.csv", `id,answer\n${careful}`),
          "--answers",
          write(folder, "bold.json", JSON.stringify(bold)),
          "--json"
        )
        const { comparisons, gates } = JSON.parse(ran.out) as AnswersReport
        assert.deepStrictEqual(comparisons, [])
        const { gate, models } = gates[0]!
        assert.deepStrictEqual(models, ["careful", "shy", "bold"])
        // Only the bold one has anything to withhold: all of its twelve false answers, a third of the models' mean.
        assert.approximately(gate!.falseAnswerRate!.mean, -1 / 3, 1e-12)
        assert.approximately(gate!.overAbstentionRate!.mean, 0, 1e-12)
        const { out } = yield* runScore(
          "--questions",
          file,
          "--answers",
          join(folder, "careful.csv"),
          "--answers",
          join(folder, "shy.csv"),
          "--answers",
          join(folder, "bold.json"),
          "--compare",
          "bold,careful"
        )
        assert.match(out, /Consensus gate/)
        assert.match(out, /bold against careful/)
      })
    )
  )

  it.effect("refuses answers to what is not asked or answered already, and warns of what is missing", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = yield* questions(folder)
        const bad = write(
          folder,
          "bad.csv",
          "question,answer,confidence\nyes-1,1 mg,\nyes-1,2 mg,\nnope,x,\nno-1,,high\n"
        )
        assert.match(refusal(yield* runScore("--questions", file, "--answers", bad)), /bad\.csv:5: confidence/)
        const worse = write(folder, "worse.csv", "question,answer\nyes-1,1 mg\nyes-1,2 mg\nnope,x\n")
        const text = refusal(yield* runScore("--questions", file, "--answers", worse))
        assert.match(text, /worse\.csv:3: .*already/)
        assert.match(text, /worse\.csv:4: .*no such question/)
        const short = write(folder, "short.csv", "question,answer\nyes-1,1 mg\n")
        const { errors, result } = yield* runScore("--questions", file, "--answers", short)
        assert.strictEqual(result._tag, "Success")
        assert.include(errors, '"short" has no answer to 23 of the questions')
        assert.match(refusal(yield* runScore("--questions", file)), /--questions: means nothing alone/)
        assert.match(
          refusal(yield* runScore("--questions", file, "--answers", short, "--replicates", "2")),
          /--replicates: has no meaning/
        )
      })
    )
  )
})

describe("score --labels --verdicts", () => {
  it.effect("holds verdicts against physicians' labels, each and by majority", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const source = write(
          folder,
          "meta.jsonl",
          lines(
            texts.map((at) => ({
              prompt_id: `p${at}`,
              prompt: [{ role: "user", content: `Question ${at}` }],
              completion: `Answer ${at}`,
              completion_id: `c${at}`,
              rubric: "Names the dose",
              category: "cluster:x",
              // Six met by both, three not met by both, three a tie.
              binary_labels: at < 6 ? [true, true] : at < 9 ? [false, false] : [true, false],
              anonymized_physician_ids: ["a", "b"]
            }))
          )
        )
        const imported = yield* healthBenchMeta.run(source)
        const labels = write(folder, "labels.jsonl", lines(imported.beside!.lines))
        const verdicts = texts.map((at) => `p${at},c${at},criterion-1,${at === 11 ? "" : at < 7 ? "met" : "no"}\n`)
        const file = write(folder, "judge.csv", `consultation,note,fact,met\n${verdicts.join("")}`)
        const ran = yield* runScore("--labels", labels, "--verdicts", file, "--json")
        const { judges, labelled } = JSON.parse(ran.out) as LabelsReport
        assert.strictEqual(labelled, 12)
        const { agreement, judge, unreadable } = judges[0]!
        assert.deepStrictEqual([judge, unreadable, agreement.verdicts], ["judge", 1, 11])
        // Met: 12 right, 2 wrongly met, 2 missed at ties; not met: 4 right and 2 at ties.
        assert.deepStrictEqual(agreement.pairwise.counts, { metMet: 12, missed: 2, metWrongly: 2, notNot: 6 })
        assert.approximately(agreement.pairwise.rawAgreement!, 18 / 22, 1e-12)
        assert.approximately(agreement.pairwise.macroF1!, (24 / 28 + 12 / 16) / 2, 1e-12)
        const byChance = (14 * 14 + 8 * 8) / 22 ** 2
        assert.approximately(agreement.pairwise.kappa!, (18 / 22 - byChance) / (1 - byChance), 1e-12)
        assert.deepStrictEqual(
          [agreement.majority.cases, agreement.majority.ties, agreement.majority.rawAgreement],
          [9, 2, 8 / 9]
        )
        assert.deepStrictEqual(agreement.physicians, { pairs: 11, rawAgreement: 9 / 11 })
        assert.isNotNull(agreement.pairwise.intervals.kappa.interval)
        const unknown = write(
          folder,
          "u.csv",
          "consultation,note,fact,met\np99,c1,criterion-1,met\np1,c1,criterion-1,maybe\n"
        )
        assert.match(
          refusal(yield* runScore("--labels", labels, "--verdicts", unknown)),
          /u\.csv:3: met: is no verdict/
        )
      })
    )
  )
})
