import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import { itemSet } from "../dataset/itemSet.ts"
import { readDataset } from "../dataset/read.ts"
import type { Instructions } from "../domain/Candidate.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { InputError, inputError } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { LedgerEntry, LedgerLine } from "../domain/Ledger.ts"
import type { Member, SplitManifest } from "../domain/Split.ts"
import type { Design } from "../judge/Design.ts"
import { designProblems } from "../judge/designProblems.ts"
import { withoutPairs } from "../split/exclusions.ts"
import { verifySplit } from "../split/verify.ts"
import { appendToLedger, soundLedger } from "./ledgerFile.ts"

/** An opening of the holdout: the ledger line that it stands on, and the notes. */
export interface Opened {
  readonly line: LedgerLine & { readonly kind: "unsealing" }
  readonly items: ItemSet<"holdout">
}

/** A judge as far as its prompts depend on it. */
export interface JudgeToCheck {
  readonly design: Design
  readonly instructions: Instructions
}

type Unsealing = Extract<LedgerEntry, { readonly kind: "unsealing" }>

/**
 * The one way to a holdout note. Only confirmation is given it; nothing that the optimiser is made of asks for it.
 */
export class Holdout extends Context.Service<
  Holdout,
  {
    /**
     * Verifies split and dataset, and finds out whether these judges can judge the holdout at all: a transcript that
     * holds a stretch of a note would show it to a stage that must be blind to it. Nothing is written and nothing is
     * handed out; errors name ids, and no word of a note.
     */
    check(judges: ReadonlyArray<JudgeToCheck>): Effect.Effect<void, InputError>
    /**
     * Verifies split and dataset, writes the opening to the split's ledger, syncs it, and only then hands out the
     * notes. `resume` is the hash of an
     * opening that is in the ledger already and has not come to its read-out: then no line is written.
     */
    open(entry: Unsealing, resume: string | undefined): Effect.Effect<Opened, InputError>
  }
>()("assize/Holdout") {
  static readonly layer = (options: {
    readonly manifestFile: string
    readonly manifest: SplitManifest
    readonly dataset: string
    readonly ledger: string
  }): Layer.Layer<Holdout, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(
      Holdout,
      Effect.gen(function* () {
        const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const { dataset, ledger, manifest, manifestFile } = options

        const written = Effect.fnUntraced(function* (entry: Unsealing, resume: string | undefined) {
          if (resume === undefined) return yield* appendToLedger(ledger, entry)
          const { lines } = yield* soundLedger(ledger)
          const line = lines.find(({ hash }) => hash === resume)
          if (line !== undefined) return line
          return yield* inputError({
            file: ledger,
            what: "the opening that was to be gone on with is no longer in the ledger",
            expected: `a line with hash ${resume.slice(0, 12)}`
          })
        })

        /** The dataset, which must be what the split sealed. */
        const verified = Effect.fnUntraced(function* () {
          const read = yield* Effect.provide(readDataset(dataset), context)
          const problems = verifySplit(manifest, read)
          if (problems.length === 0) return read
          return yield* new InputError({ problems: problems.map((problem) => ({ ...problem, file: manifestFile })) })
        })

        const itemsOf = ({ consultations }: { readonly consultations: ReadonlyArray<Consultation> }) => {
          const byId = new Map(consultations.map((one) => [one.id, one]))
          const excluded = new Set(manifest.exclusions.pairs)
          return itemSet(manifest.holdout.map((id) => asHoldout(withoutPairs(byId.get(id)!, excluded))))
        }

        const check = Effect.fn("Holdout.check")(function* (judges: ReadonlyArray<JudgeToCheck>) {
          const { items } = itemsOf(yield* verified())
          const problems = new Map(
            judges
              .flatMap(({ design, instructions }) =>
                designProblems(dataset, design, items, { instructions, sealed: true })
              )
              .map((problem) => [problem.what, problem])
          )
          if (problems.size === 0) return
          return yield* new InputError({
            problems: [...problems.values()].map((problem) => ({
              ...problem,
              hint: "It is the holdout's, which stays sealed: texts were compared, no word of them is shown, and no opening was entered in the ledger. Correct the dataset, then split and run anew; or run with a design that may see both"
            }))
          })
        })

        const open = Effect.fn("Holdout.open")(function* (entry: Unsealing, resume: string | undefined) {
          // Before the line is written: a dataset that was changed must not cost the one opening.
          yield* verified()
          const line = yield* written(entry, resume)
          if (line.kind !== "unsealing" || line.split !== manifest.hash) {
            return yield* inputError({
              file: ledger,
              line: line.line,
              what: "this line opens no holdout of this split"
            })
          }
          return { line, items: itemsOf(yield* verified()) } satisfies Opened
        })
        return Holdout.of({ check, open })
      })
    )
}

/** The brand exists for the type checker alone; this is the one place that gives it. */
const asHoldout = (consultation: Consultation): Member<"holdout"> => consultation as Member<"holdout">
