import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Check, Section } from "../doctor/Check.ts"
import type { Budget } from "../domain/Campaign.ts"
import { colourWanted, json, type Paint, paint, plain, warn } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { repeatable } from "./repeatable.ts"
import { storeFile, storeFlag } from "./store.ts"

const load = Effect.promise(async () => ({
  ...(await import("../judge/judgePin.ts")),
  ...(await import("../campaign/load.ts")),
  ...(await import("../campaign/scoreModels.ts")),
  ...(await import("../doctor/doctor.ts")),
  ...(await import("../doctor/machine.ts")),
  ...(await import("../doctor/storeSection.ts")),
  ...(await import("./storeView.ts"))
}))

const mark = ({ level }: Check, { dim, green, red, yellow }: Paint): string => {
  switch (level) {
    case "ok":
      return green("ok  ")
    case "note":
      return dim("note")
    case "warning":
      return yellow("warn")
    case "no":
      return red("NO  ")
  }
}

const text = (sections: ReadonlyArray<Section>, colours: Paint): string =>
  sections
    .map(({ checks, name }) =>
      [
        colours.bold(plain(name)),
        ...checks.map(
          (check) =>
            `  ${mark(check, colours)}  ${plain(check.what).replaceAll("\n", " ")}${check.hint === undefined ? "" : `. ${plain(check.hint)}`}`
        )
      ].join("\n")
    )
    .join("\n\n")

export const doctor = Command.make(
  "doctor",
  {
    campaign: Argument.String("campaign").pipe(
      Argument.withDescription("A campaign whose models are asked; none is, if not given"),
      Argument.optional
    ),
    model: Flag.String("model").pipe(
      Flag.withMetavar("NAME=MODEL"),
      Flag.withDescription(
        "A model to ask: mini=gpt-5.4-mini, or NAME={ provider: openai, model: …, baseUrl: … } as in a campaign; repeatable"
      ),
      repeatable
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false)),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const tools = yield* load
    const campaign = Option.isNone(input.campaign) ? undefined : yield* tools.loadCampaign(input.campaign.value)
    const named = yield* Effect.forEach(input.model, tools.parseModel)
    yield* warn(campaign?.warnings ?? [])
    const budget: Budget = campaign?.campaign.budget ?? {}
    const models = tools.distinctModels([
      ...Object.entries(campaign?.campaign.models ?? {}).map(([role, model]) => ({ name: `models.${role}`, model })),
      ...(campaign === undefined
        ? []
        : Object.entries(tools.memberModels(campaign.campaign.judge)).map(([name, model]) => ({ name, model }))),
      ...named.map(({ model, name }) => ({ name: `--model ${name}`, model }))
    ])
    const file = yield* storeFile(input.store)
    const sections = [
      tools.machineSection(tools.machineFacts()),
      yield* tools.storeSection(file, tools.bytes),
      ...(yield* tools.modelSections(models, budget))
    ]
    const no = tools.saysNo(sections)
    if (input.json) yield* Console.log(json({ ok: !no, sections }))
    else {
      yield* Console.log(text(sections, paint(colourWanted())))
      if (models.length === 0)
        yield* Console.error("\nno model was asked: name a campaign, or a model with --model NAME=MODEL")
    }
    if (no) return yield* new RunEnded({ code: 3 })
  })
).pipe(
  Command.withDescription("Check Node, terminal, store, keys and, with one tiny call each, the models"),
  Command.withExamples([
    { command: "assize doctor campaign.yaml", description: "Everything that a run of the campaign needs" },
    { command: "assize doctor --model mini=gpt-5.4-mini", description: "One model of OpenAI's" }
  ])
)
