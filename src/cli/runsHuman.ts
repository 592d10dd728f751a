import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { HeldRun } from "../campaign/human/holdRun.ts"
import { inputError } from "../domain/InputError.ts"
import type { HumanEvent } from "../domain/RunEvent.ts"
import type { Remark } from "../optimise/remarks.ts"
import { editText } from "./editText.ts"
import { json, plain } from "./output.ts"
import { repeatable } from "./repeatable.ts"
import { existingStore, locksOf, storeFlag } from "./store.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/confirmLedger.ts")),
  ...(await import("../campaign/human/branchRun.ts")),
  ...(await import("../campaign/human/holdRun.ts")),
  ...(await import("../campaign/human/mark.ts")),
  ...(await import("../campaign/human/writeCandidate.ts")),
  ...(await import("../campaign/members.ts")),
  ...(await import("../campaign/prepare.ts")),
  ...(await import("../dataset/textFile.ts")),
  ...(await import("../optimise/frozen.ts")),
  inUse: (await import("../store/StoreLock.ts")).inUse,
  storeLayer: (await import("../store/store.ts")).layer
}))

type Tools = Effect.Success<typeof load>

const runArgument = Argument.String("run").pipe(
  Argument.withDescription("A run's id, the beginning of one, or latest; it must not be under way")
)
const candidateArgument = Argument.String("candidate").pipe(
  Argument.withDescription("A candidate by its name, its id or the beginning of one, or winner")
)

/** What every word of a person's to a run has. */
const common = {
  reason: Flag.String("reason").pipe(
    Flag.withDescription("Why; kept in the run's log, and shown with what it was done to")
  ),
  author: Flag.String("author").pipe(
    Flag.withDescription("Who; the user of this computer, if not given"),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print the event as JSON"), Flag.withDefault(false)),
  store: storeFlag
}

interface Common {
  readonly run: string
  readonly reason: string
  readonly author: Option.Option<string>
  readonly json: boolean
  readonly store: Option.Option<string>
}

const inOneLine = (text: string): string => plain(text).replace(/\s+/g, " ").trim()

/** Holds the run and prints what came of it: the event as JSON, or lines for people. */
const withRun = <A extends { readonly event: HumanEvent }, E, R>(
  input: Common,
  act: (
    held: HeldRun,
    tools: Tools,
    said: { readonly author: string; readonly reason: string }
  ) => Effect.Effect<A, E, R>,
  lines: (done: A, held: HeldRun) => ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const said = { reason: inOneLine(input.reason), author: inOneLine(Option.getOrElse(input.author, () => "")) }
    const empty = [
      ...(said.reason === "" ? [{ field: "--reason", what: "gives no reason", expected: "why it is done" }] : []),
      ...(Option.isSome(input.author) && said.author === "" ? [{ field: "--author", what: "names nobody" }] : [])
    ]
    if (empty.length > 0) return yield* inputError(...empty)
    const tools = yield* load
    const file = yield* existingStore(input.store)
    yield* Effect.gen(function* () {
      const locks = locksOf(file)
      yield* tools.inUse(locks)
      const held = yield* tools.holdRun(input.run, locks)
      const author = said.author === "" ? inOneLine(tools.who()) || "unknown" : said.author
      const done = yield* act(held, tools, { ...said, author })
      yield* Console.log(
        input.json
          ? json({ run: held.run.id, sequence: held.events, event: done.event })
          : lines(done, held).map(plain).join("\n")
      )
    }).pipe(Effect.scoped, Effect.provide(tools.storeLayer(file)))
  })

const goOn = ({ run }: HeldRun): string => `To go on with the run: assize run ${run.campaignFile}`

const undo = (what: string) =>
  Flag.Boolean("undo").pipe(Flag.withDescription(`Take the ${what} back`), Flag.withDefault(false))

const between = "Written to the run's log between two sittings: refused while the run is under way"

const pin = Command.make(
  "pin",
  { run: runArgument, candidate: candidateArgument, undo: undo("pin"), ...common },
  (input) =>
    withRun(
      input,
      (held: HeldRun, tools: Tools, said: Remark) =>
        tools.mark(held, "pinned", { ...said, candidate: input.candidate, on: !input.undo }),
      ({ candidate: { id, name }, event }, held) => [
        `${event.on ? "pinned" : "no longer pinned:"} ${name} (${id}) of run ${held.run.id}`,
        event.on
          ? "From the next iteration on it is always among those that parents are drawn from."
          : "From the next iteration on it is a parent only as the frontier has it.",
        goOn(held)
      ]
    )
).pipe(
  Command.withShortDescription("Keep a candidate among those that parents are drawn from"),
  Command.withDescription(
    `Keep a candidate among those that parents are drawn from, even where the frontier would prune it: with the selectors pareto and topK it weighs at least as much as the others do on average; with best and epsilonGreedy the best and the pinned take their turns evenly. It does not make it win. A veto goes before a pin. ${between}.`
  ),
  Command.withExamples([
    { command: 'assize runs pin latest c4 --reason "handles negation well"', description: "Always a possible parent" },
    { command: 'assize runs pin latest c4 --undo --reason "no longer"', description: "As before" }
  ])
)

const veto = Command.make(
  "veto",
  { run: runArgument, candidate: candidateArgument, undo: undo("veto"), ...common },
  (input) =>
    withRun(
      input,
      (held: HeldRun, tools: Tools, said: Remark) =>
        tools.mark(held, "vetoed", { ...said, candidate: input.candidate, on: !input.undo }),
      ({ candidate: { id, name }, event }, held) => [
        `${event.on ? "vetoed" : "no longer vetoed:"} ${name} (${id}) of run ${held.run.id}`,
        `The winner is ${held.state.winner === undefined ? "not known" : `${held.state.winner.candidate.name} (${held.state.winner.candidate.id})`}.`,
        goOn(held)
      ]
    )
).pipe(
  Command.withShortDescription("Rule a candidate out as parent and winner"),
  Command.withDescription(
    `Rule a candidate out: it is never a parent or merged again, never the winner, and assize confirm refuses it. Its children stay. What it kept from the frontier comes back. The last candidate that is left cannot be vetoed. ${between}.`
  ),
  Command.withExamples([
    { command: 'assize runs veto latest winner --reason "tells nurses to guess"', description: "The next best wins" }
  ])
)

const candidateLines = (
  {
    candidate: { id, name, parents }
  }: { readonly candidate: { id: string; name: string; parents: ReadonlyArray<string> } },
  held: HeldRun
): ReadonlyArray<string> => [
  `added ${name} (${id}) to run ${held.run.id}${parents.length === 0 ? "" : `, edited from ${parents.join(", ")}`}`,
  "It is evaluated on the acceptance part when the run goes on, and is then a candidate like any other.",
  goOn(held)
]

const edit = Command.make(
  "edit",
  {
    run: runArgument,
    candidate: candidateArgument,
    file: Flag.String("file").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The edited instruction; without it, the editor that VISUAL or EDITOR names is opened"),
      Flag.optional
    ),
    module: Flag.String("module").pipe(
      Flag.withDescription("Which module's instruction, of a judge that has several"),
      Flag.optional
    ),
    ...common
  },
  (input) =>
    withRun(
      input,
      (held: HeldRun, tools: Tools, said: Remark) =>
        Effect.gen(function* () {
          const parent = yield* tools.candidateNamed(held.state, input.candidate, "candidate")
          const module = yield* tools.moduleOf(held.state, Option.getOrUndefined(input.module), "--module")
          const prepared = yield* tools.prepareCampaign(held.run.campaignFile)
          const now = tools.markFrozen(parent.instructions[module]!, parent.frozen?.[module] ?? [])
          const written = Option.isSome(input.file)
            ? { text: yield* tools.readTextFile(input.file.value, "the edited instruction"), file: input.file.value }
            : { text: yield* editText(now), file: "the edited instruction" }
          return yield* tools.addEdited(held, prepared, { ...said, candidate: input.candidate, module, written })
        }),
      candidateLines
    )
).pipe(
  Command.withShortDescription("Add a candidate with the edited text of another"),
  Command.withDescription(
    `Add a new candidate with the edited text of another, which stays. The same rules hold as for the reflector: no longer than search.maxInstructionLength, no passage of the train part, nothing that the run has already; and frozen passages, between <!-- freeze --> and <!-- /freeze -->, must stay word for word. More can be frozen in the edit. ${between}.`
  ),
  Command.withExamples([
    { command: 'assize runs edit latest c4 --reason "plainer words"', description: "In the editor" },
    { command: 'assize runs edit latest c4 --file c4.md --reason "plainer words"', description: "From a file" }
  ])
)

const add = Command.make(
  "add",
  {
    run: runArgument,
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "A prompt file as seeds are: front matter, if any, then the instruction; one for each module that evolves"
      ),
      Argument.variadic({ min: 1 })
    ),
    ...common
  },
  (input) =>
    withRun(
      input,
      (held: HeldRun, tools: Tools, said: Remark) =>
        Effect.gen(function* () {
          const prepared = yield* tools.prepareCampaign(held.run.campaignFile)
          const texts = yield* Effect.forEach(input.file, (file) =>
            Effect.map(tools.readTextFile(file, "the prompt file"), (text) => ({ text, file }))
          )
          return yield* tools.addWritten(held, prepared, texts, said)
        }),
      candidateLines
    )
).pipe(
  Command.withShortDescription("Add a candidate written by hand"),
  Command.withDescription(
    `Add a candidate written by hand. The same rules hold as for the reflector: no longer than search.maxInstructionLength, no passage of the train part, nothing that the run has already. ${between}.`
  ),
  Command.withExamples([
    {
      command: 'assize runs add latest mine.md --reason "the ward\'s own checklist"',
      description: "One more candidate"
    }
  ])
)

const branch = Command.make(
  "branch",
  {
    run: runArgument,
    candidate: candidateArgument,
    also: Flag.String("also").pipe(
      Flag.withDescription("Another candidate of the run that the branch begins with; repeatable"),
      repeatable
    ),
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("FOLDER"),
      Flag.withDescription("A new folder for the branch's campaign and seeds")
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("The name of the branch's campaign; the run's campaign with -branch, if not given"),
      Flag.optional
    ),
    ...common
  },
  (input) =>
    withRun(
      input,
      (held: HeldRun, tools: Tools, said: Remark) =>
        tools.branchRun(held, {
          ...said,
          candidates: [input.candidate, ...input.also],
          folder: input.out,
          name: Option.getOrUndefined(input.name)
        }),
      ({ candidates, file }, held) => [
        `branched from run ${held.run.id}: ${candidates.map(({ id, name }) => `${name} (${id})`).join(", ")}`,
        `wrote ${file}, which can have settings of its own: change what is to be different`,
        `To begin the branch: assize run ${file}`
      ]
    )
).pipe(
  Command.withShortDescription("Begin a new run with candidates of this one"),
  Command.withDescription(
    `Write a new campaign whose only seeds are candidates of the run: the run's campaign as it is now, comments and all, to be edited before it is run. Both runs' logs say who branched what from where, and why. ${between}.`
  ),
  Command.withExamples([
    {
      command: 'assize runs branch latest c4 --also c7 --out campaigns/other --reason "another reflector"',
      description: "Two candidates as the seeds of a new campaign"
    }
  ])
)

export const human = [pin, veto, edit, add, branch] as const
