import type { JudgeConfig, ModelConfig } from "../domain/Campaign.ts"
import { hashOf } from "../domain/hash.ts"
import { modelPin } from "../model/key.ts"
import type { Design } from "./Design.ts"
import { memberName } from "./designs/consensus.ts"

/** What of a judge can change its judgements, as a run's settings keep it. Options that are left out leave no trace. */
export const judgePin = ({ criteria, design, join, members, samples }: JudgeConfig) => {
  const options = {
    ...(criteria === undefined ? {} : { criteria }),
    ...(join === undefined ? {} : { join }),
    ...(members === undefined
      ? {}
      : {
          members: members.map((member, at) => ({
            name: memberName(member, at),
            design: member.design,
            samples: member.samples ?? samples,
            ...(member.model === undefined ? {} : { model: modelPin(member.model) })
          }))
        })
  }
  return { design, samples, ...(Object.keys(options).length === 0 ? {} : { options }) }
}

/** Of the fixed words of all prompts: a run is not gone on with in other words. */
export const promptHash = ({ modules }: Design): string => {
  const parts = modules.map(({ contract, preamble }) => [preamble, contract])
  return hashOf(parts.length === 1 ? parts[0] : parts)
}

/** The models of members that have their own, by where a campaign names each under `models` or beside it. */
export const memberModels = ({ members = [] }: JudgeConfig): Readonly<Record<string, ModelConfig>> =>
  Object.fromEntries(
    members.flatMap(({ model }, at) => (model === undefined ? [] : [[`judge.members[${at}].model`, model] as const]))
  )

/** Checks of models call fields `models.ROLE`; a member's model stands in the judge. */
export const inJudge = (field: string | undefined): string =>
  (field ?? "").replace(/^models\.judge\.members/, "judge.members")
