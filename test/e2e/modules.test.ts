import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { assize, eventsOf, quickstartCopy, start, temporaryFolder } from "./cli.ts"

const iterations = 5

/** The quickstart's data under a judge of two stages, both of which evolve from poor instructions. */
const twoStages = (folder: string): string => {
  const yaml = quickstartCopy(folder, (text) =>
    text
      .replace(/^judge:.*$/m, "judge: { design: two-stage, samples: 1 }\ntarget: { modules: [extract, check] }")
      .replace(/^seeds:[\s\S]*?\n(?=\S)/m, "seeds: [../../seeds/weak-extract.md, ../../seeds/weak-check.md]\n\n")
      .replace("iterations: 30", `iterations: ${iterations}\n  proposals: 2\n  merge: { after: 2 }`)
      // With this one a merge comes early, and is accepted.
      .replace("seed: 11", "seed: 49")
  )
  for (const [module, text] of [
    ["extract", "List the main problems of the consultation."],
    ["check", "Say of each fact whether the note has it."]
  ]) {
    writeFileSync(
      join(folder, `seeds/weak-${module}.md`),
      `---\nname: weak\ndesign: two-stage\nmodule: ${module}\n---\n${text}\n`
    )
  }
  return yaml
}

describe("a campaign of two modules", () => {
  it("that is killed again and again has the events of the unbroken one, and they fold to the same state", {
    timeout: 120_000
  }, async () => {
    using folder = temporaryFolder()
    using other = temporaryFolder()
    const whole = await assize(["run", twoStages(other.path), "--plain"], { cwd: other.path })
    assert.strictEqual(whole.code, 0, whole.stderr)

    const yaml = twoStages(folder.path)
    for (const sign of ["started:", "iteration 2/", "iteration 4/"]) {
      const running = start(["run", yaml, "--plain"], { cwd: folder.path })
      await Promise.race([
        running.finished,
        new Promise<void>((resolve) =>
          running.child.stderr.on("data", () => running.stderr().includes(sign) && resolve())
        )
      ])
      running.child.kill("SIGKILL")
      assert.isNull((await running.finished).code, `the run ended before it said ${sign}`)
    }
    const last = await assize(["run", yaml, "--plain"], { cwd: folder.path })
    assert.strictEqual(last.code, 0, last.stderr)

    const [events, reference] = await Promise.all([
      eventsOf(folder.path, join(folder.path, "out")),
      eventsOf(other.path, join(other.path, "out"))
    ])
    assert.deepStrictEqual(events, reference)
    const [state, expected] = [foldRun(events), foldRun(reference)]
    assert.deepStrictEqual(state.members, expected.members)
    assert.deepStrictEqual(state.winner, expected.winner)

    const of = <Tag extends RunEvent["_tag"]>(tag: Tag) =>
      events.filter((event): event is Extract<RunEvent, { readonly _tag: Tag }> => event._tag === tag)
    assert.lengthOf(of("iteration"), 2 * iterations)
    assert.sameMembers([...new Set(of("iteration").map(({ module }) => module))], ["extract", "check", "check+extract"])
    assert.isTrue(of("merge").every(({ choices, how }) => how === "swap" && Object.keys(choices ?? {}).length === 2))
    assert.isTrue(state.members.some(({ candidate }) => candidate.origin === "merge"))
    // What the reflector is shown of a judge that says what its score is made of.
    assert.isTrue(of("proposed").some(({ prompt }) => /: absent in this note, \w+ in the twin/.test(prompt)))
    const changed = state.members.flatMap(({ candidate }) => {
      if (candidate.origin === "merge") return []
      const [parent] = candidate.parents.map((id) => state.member(id)!.candidate.instructions)
      return parent === undefined
        ? []
        : Object.keys(parent).filter((module) => parent[module] !== candidate.instructions[module])
    })
    assert.sameMembers([...new Set(changed)], ["extract", "check"])
  })
})
