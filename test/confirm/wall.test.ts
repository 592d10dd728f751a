import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Holdout } from "../../src/confirm/holdout.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import type { ItemSet } from "../../src/domain/Item.ts"
import type { Member } from "../../src/domain/Split.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { asMember } from "../../src/split/member.ts"

/** Never called: that these lines do not compile is what is checked, by the type checker, which refuses an expected error that is none. */
export const doesNotCompile = (
  task: Task,
  holdout: ItemSet<"holdout">,
  sealed: Member<"holdout">,
  consultation: Consultation
) => {
  // @ts-expect-error: the holdout is no train part
  const train: Task["train"] = holdout
  // @ts-expect-error: the holdout is no acceptance part
  const acceptance: Task["acceptance"] = holdout
  // @ts-expect-error: nor inside a task
  const inTask: Task = { ...task, acceptance: holdout }
  // @ts-expect-error: nor one of its notes among others
  const among: Task["train"]["items"] = holdout.items
  // @ts-expect-error: the optimiser's parts cannot make a holdout member
  const made = asMember(consultation, "holdout")
  // @ts-expect-error: a member of the holdout is none of train
  const renamed: Member<"train"> = sealed
  const search = runSearch(task, { sink: { logged: [], append: () => Effect.void } })
  /** What a search asks of its surroundings. */
  type Asked = Effect.Services<typeof search>
  // @ts-expect-error: the holdout's service is not among it
  const asks: Extract<Asked, Holdout> extends never ? false : true = true
  return { train, acceptance, inTask, among, made, renamed, asks }
}

/** Tasks and members of the right parts do compile: the errors above are of the part, not of something else. */
export const compiles = (task: Task, train: ItemSet<"train">, consultation: Consultation) => ({
  task: { ...task, train } satisfies Task,
  member: asMember(consultation, "train") satisfies Member<"train">
})

const root = join(import.meta.dirname, "../../src")
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.split(sep).join("/"))

/** The files of src that a file imports, also lazily and for types. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) =>
    relative(root, join(root, file, "..", path!))
      .split(sep)
      .join("/")
  )

const confirms = /^(confirm\/|campaign\/confirm|cli\/confirm\.ts$)/

describe("the wall in front of the holdout", () => {
  it("is opened by confirmation alone: nothing else imports its service", () => {
    const importers = files.filter((file) => importsOf(file).includes("confirm/holdout.ts"))
    assert.includeMembers(importers, ["campaign/confirmRun.ts"])
    assert.deepStrictEqual(
      importers.filter((file) => !confirms.test(file)),
      []
    )
  })

  it("shows an audit no more than quotes of what an instruction has, behind the ledger: one file asks for them", () => {
    assert.deepStrictEqual(
      files.filter((file) => importsOf(file).includes("confirm/holdoutIndex.ts")),
      ["campaign/auditData.ts"]
    )
  })

  it("cannot be reached from the optimiser, by whatever way of imports", () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const next of importsOf(file)) if (files.includes(next)) visit(next)
    }
    for (const start of files.filter((file) =>
      /^(optimise|judge|model)\/|^campaign\/(runCampaign|prepare)\.ts$/.test(file)
    ))
      visit(start)
    assert.isAbove(reached.size, 50)
    assert.isFalse(reached.has("confirm/holdout.ts"))
    assert.isFalse(reached.has("confirm/holdoutIndex.ts"))
  })

  it("has one place that makes holdout members", () => {
    const casts = files.filter((file) => readFileSync(join(root, file), "utf8").includes('as Member<"holdout">'))
    assert.deepStrictEqual(casts, ["confirm/holdout.ts"])
  })
})
