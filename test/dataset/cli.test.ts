import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as TestConsole from "effect/testing/TestConsole"
import { data } from "../../src/cli/data.ts"
import { colourWanted, json, plain } from "../../src/cli/output.ts"
import { table } from "../../src/cli/table.ts"
import { wordDifference } from "../../src/dataset/difference.ts"
import { csvCell } from "../../src/domain/csvCell.ts"
import { columns } from "../../src/terminal/columns.ts"
import { consultation, inFolder, lines, write } from "./support.ts"

const run = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const before = (yield* TestConsole.logLines).length
    const result = yield* Effect.result(Command.runWith(data, { version: "test" })(args))
    const out = (yield* TestConsole.logLines).slice(before).join("\n")
    return { out, errors: (yield* TestConsole.errorLines).join("\n"), result }
  })

const two = [consultation("a"), consultation("b", { transcript: null })]

describe("data check", () => {
  it.effect("counts what a dataset holds, on standard output, and warns on standard error", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = write(folder, "d.jsonl", lines(two))
        const { errors, out } = yield* run("check", file)
        assert.strictEqual(
          out.replaceAll(`${folder}/`, ""),
          [
            "d.jsonl: 2 consultations (2 with pairs), 6 notes, 4 pairs over 2 clean notes",
            "transcripts: 1 (1 distinct), 1 missing; median 45 characters; 2 facts",
            "",
            "pairs by              pairs",
            "class     alteration      2",
            "class     omission        2",
            "trace     complete        2",
            "severity  critical        2",
            "severity  supporting      2",
            "stratum   gp              4",
            "",
            "shortcuts: how often the surface of a pair gives its clean note away (4 pairs of 2 consultations)",
            "                  picked side                              right  wrong  tie  n  solved  95 %    p            by cons.  Holm",
            "all               the longer note                              4      0    0  4  100%    51-100  n too small         -     -",
            "all               more sentences that start in lower case      0      0    4  4  50%     15-85   n too small         -     -",
            "all               no punctuation at the end                    0      0    4  4  50%     15-85   n too small         -     -",
            "all               more lines                                   0      0    4  4  50%     15-85   n too small         -     -",
            "all               more doubled spaces                          0      0    4  4  50%     15-85   n too small         -     -",
            "all               words of other edits' clean sides            4      0    0  4  100%    51-100  n too small         -     -",
            "class alteration  the longer note                              2      0    0  2  100%    34-100  n too small         -     -",
            "class omission    the longer note                              2      0    0  2  100%    34-100  n too small         -     -",
            "right: the picked side is the clean note; each row picks in the direction that is right more often; solved: ties count half, Wilson's 95 % interval; p: exact binomial, two-sided; by cons.: the same of consultations by the majority of their pairs, which are not independent; Holm: by cons. adjusted over the 0 cues tested",
            "with fewer than 10 pairs, no cue is tested",
            "",
            "near-duplicates within the dataset: none (words in threes, Jaccard >= 0.8)",
            "no errors, 2 warnings"
          ].join("\n")
        )
        assert.include(errors, "d.jsonl:2: transcript: there is no transcript")
        assert.include(
          errors,
          "the dataset: 4 pairs of 2 consultations: nothing can be concluded from so few (expected at least 10 consultations and 30 pairs)"
        )
      })
    )
  )
  it.effect("prints JSON, errors included, and ends with exit code 2", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = write(folder, "d.jsonl", lines([two[0], { ...two[1], id: "a" }]))
        const { out, result } = yield* run("check", file, "--json")
        const printed = JSON.parse(out) as {
          ok: boolean
          errors: ReadonlyArray<{ line: number }>
          summary: { pairs: number }
        }
        assert.isFalse(printed.ok)
        assert.deepStrictEqual(
          printed.errors.map((error) => error.line),
          [2]
        )
        assert.strictEqual(printed.summary.pairs, 4)
        assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "", "InputError")
        assert.strictEqual(result._tag === "Failure" && Reflect.get(result.failure, errorExitCode), 2)
      })
    )
  )
})

describe("data check, of what is not as expected", () => {
  it.effect("says warnings of a kind once, with their number and places", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const many = Array.from({ length: 40 }, (_, at) => consultation(`c${at}`, { transcript: null }))
        const { errors, out } = yield* run("check", write(folder, "d.jsonl", lines(many)))
        assert.strictEqual(errors.match(/there is no transcript/g)?.length, 1)
        assert.include(
          errors,
          "d.jsonl:1: transcript: there is no transcript: the notes are judged on their own (and 39 more such: lines 2, 3, 4, 5, 6, …)"
        )
        assert.include(out, "no errors, 40 warnings")
        const asJson = yield* run("check", write(folder, "d.jsonl", lines(many)), "--json")
        assert.strictEqual((JSON.parse(asJson.out) as { warnings: ReadonlyArray<unknown> }).warnings.length, 40)
      })
    )
  )
  it.effect("recognises other files that assize writes and reads, and says it once", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const of = (line: object) =>
          Effect.map(run("check", write(folder, "d.jsonl", lines([line, line, line]))), ({ result }) =>
            result._tag === "Failure" ? result.failure.message.replace(/^.*d\.jsonl/, "d.jsonl") : ""
          )
        assert.strictEqual(
          yield* of({ id: "t", group: "g", context: "c", questions: [] }),
          "d.jsonl:1: is a line of answerability questions, as squad2 and radqa import them, and no dataset (expected one consultation a line). assize score --questions FILE --answers FILE scores what was answered to them"
        )
        assert.match(
          yield* of({ consultation: "c", note: "n", fact: "f", labels: [true] }),
          /^d\.jsonl:1: is a line of physicians' labels, as healthbench-meta .*$/
        )
        assert.match(
          yield* of({ consultation: "c", note: "n", score: 1 }),
          /^d\.jsonl:1: is a row of a table of scores.*assize score --scores FILE reads it$/
        )
      })
    )
  )
})

describe("data show", () => {
  it.effect("says that it shows the first of many, on standard error", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = write(folder, "d.jsonl", lines(two))
        assert.include(
          (yield* run("show", file)).errors,
          "1 of 4 pairs; --pair shows another, --consultation all of one"
        )
      })
    )
  )
  it("joins changes of neighbouring words", () => {
    assert.deepStrictEqual(wordDifference("No fever today. Well.", "Some cough today. Well."), [
      { kind: "removed", text: "No fever" },
      { kind: "added", text: "Some cough" },
      { kind: "same", text: " today. Well." }
    ])
    assert.deepStrictEqual(
      wordDifference("Aspirin 75 mg daily\nBP high", "Aspirin 300 mg weekly\nBP low").map(({ text }) => text),
      ["Aspirin ", "75", "300", " mg ", "daily", "weekly", "\nBP ", "high", "low"]
    )
  })
  it.effect("marks the difference of a pair, and shows its fact and what is left of it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const shown = consultation("a", {
          pairs: [
            {
              ...two[0]!.pairs[0]!,
              trace: "fragment",
              residual: [{ quote: "No fever", section: "HPC", strength: "weak" }]
            },
            two[0]!.pairs[1]!
          ]
        })
        const file = write(folder, "d.jsonl", lines([shown]))
        const { out } = yield* run("show", file, "--pair", "o1")
        assert.include(out, "a / o1\nomission, fragment, critical, gp\n")
        assert.include(out, "[-Cough for 3 days. -]No fever. Seen as a.")
        assert.include(
          out,
          'fact: Cough for 3 days\nsaid as: "A cough."\nleft in the flawed note (HPC), weak: "No fever"'
        )
        const altered = yield* run("show", file, "--consultation", "a", "--pair", "x1")
        assert.match(altered.out, /Cough for 3 days\. \[-No fever-\]\{\+Fever\+\}\./)
      })
    )
  )
  it.effect("wraps at a width", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { out } = yield* run("show", write(folder, "d.jsonl", lines(two)), "--pair", "a/x1", "--width", "20")
        for (const line of out.split("\n").slice(4, 8))
          assert.isAtMost(line.replace(/\[-|-\]|\{\+|\+\}/g, "").length, 20, line)
      })
    )
  )
  it.effect("says which pairs there are where the one asked for is not, or is ambiguous", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = write(folder, "d.jsonl", lines(two))
        assert.include(
          (yield* run("show", file, "--pair", "a/o2")).errors,
          'the dataset has no pair "a/o2". Did you mean "a/o1"?'
        )
        assert.include(
          (yield* run("show", file, "--pair", "o1")).errors,
          '2 consultations have a pair "o1". Give its full name, such as "a/o1"'
        )
        assert.include(
          (yield* run("show", file, "--consultation", "zzz")).errors,
          'the dataset has no consultation "zzz"'
        )
      })
    )
  )
  it.effect("lets no escape sequence of the data through", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const evil = "\u001b]0;title\u0007\u001b[31mred\u001b[0m\u202eabc"
        const one = consultation(`a${evil}`, {
          notes: two[0]!.notes.map((note) => ({ ...note, text: note.text + evil }))
        })
        const { out } = yield* run("show", write(folder, "d.jsonl", lines([one])))
        assert.notMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
        assert.include(out, "redabc")
        const asJson = yield* run("show", write(folder, "d.jsonl", lines([one])), "--json")
        assert.notMatch(asJson.out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      })
    )
  )
})

describe("data import", () => {
  it.effect("writes the dataset once, and does not overwrite what is there", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { mkdirSync } = yield* Effect.promise(() => import("node:fs"))
        mkdirSync(`${folder}/source/transcripts`, { recursive: true })
        write(folder, "source/transcripts/day1_consultation01.txt", "Doctor: hello\n")
        write(
          folder,
          "source/clinician_single_omission_pairs.jsonl",
          lines([
            {
              id: "o",
              consultation: "day1_consultation01",
              flawed_note: "b",
              clean_note: "a b",
              omissions: [{ text: "a", critical: true }],
              removed: "a",
              words_still_in_flawed_note: 0
            }
          ])
        )
        write(folder, "source/clinician_single_error_pairs.jsonl", "")
        const out = `${folder}/sub/out.jsonl`
        const first = yield* run("import", "primock-pairs", `${folder}/source`, "--out", out)
        assert.include(first.out, `wrote ${out}: 1 consultation, 2 notes, 1 pair`)
        assert.include(first.out, "not the counts of the published data")
        const written = readFileSync(out, "utf8")
        const again = yield* run("import", "primock-pairs", `${folder}/source`, "--out", out, "--json")
        assert.strictEqual((JSON.parse(again.out) as { pairs: number }).pairs, 1)
        assert.strictEqual(readFileSync(out, "utf8"), written)
        write(folder, "sub/out.jsonl", "mine\n")
        const refused = yield* run("import", "primock-pairs", `${folder}/source`, "--out", out)
        assert.include(
          refused.errors,
          "the dataset exists already and is not overwritten. Give another name, or --force to replace it"
        )
        assert.strictEqual(readFileSync(out, "utf8"), "mine\n")
      })
    )
  )
})

describe("terminal output", () => {
  it("plain takes out control sequences and bidirectional overrides, and keeps all other text", () => {
    assert.strictEqual(
      plain("a\u001b[1;31mb\u001b[0m\u009b2Jc\u001b]8;;http://x\u001b\\d\u0007\u0000\u202ee\u2066f\ng\th"),
      "abcdef\ng\th"
    )
    assert.strictEqual(plain("naïve 漢字 🙂 עברית é"), "naïve 漢字 🙂 עברית é")
    assert.strictEqual(plain("\u001b]52;c;never ended"), "")
  })
  it("tables align by columns on the screen, numbers to the right", () => {
    assert.strictEqual(
      table([
        ["name", "n"],
        ["漢字", 5],
        ["abc", 12]
      ]),
      "name   n\n漢字   5\nabc   12"
    )
    assert.strictEqual(columns("é漢🙂"), 5)
  })
  it("CSV keeps no control characters and quotes what it must", () => {
    assert.strictEqual(csvCell("j\u001b]0;title\u0007\u009b31mudge"), "judge")
    assert.strictEqual(csvCell('a,"b"\nc'), '"a,""b""\nc"')
    assert.strictEqual(csvCell("plain"), "plain")
  })
  it("JSON escapes what would act on a terminal", () => {
    assert.strictEqual(json("\u001b[31m\u009b\u202e"), '"\\u001b[31m\\u009b\\u202e"')
  })
  it("there is no colour without a terminal", () => assert.isFalse(colourWanted()))
})
