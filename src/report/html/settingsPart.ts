import type { RunState } from "../../optimise/RunState.ts"
import { type Html, html, table } from "./markup.ts"
import type { ReportInput } from "./ReportInput.ts"

/** The innermost fields of a value, each with its path. */
const fieldsOf = (value: unknown, path: string): ReadonlyArray<readonly [string, string]> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [[path, typeof value === "string" ? value : JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, path === "" ? name : `${path}.${name}`))
}

/** Run settings and pins: what decided the run's course, and the hashes of what it read. */
export const settingsPart = (input: ReportInput, state: RunState): Html => {
  const { campaign, run } = input
  const { seeds, ...settings } = run.settings
  const names = new Map(state.members.map(({ candidate }) => [candidate.id as string, candidate.name]))
  return html`${table(
    [
      ["setting", "value"],
      ["run", run.id],
      ["campaign file", run.campaignFile.split(/[\\/]/).at(-1) ?? ""],
      ["started", new Date(run.created).toISOString()],
      ["settings hash", run.settingsHash],
      ...fieldsOf(settings, ""),
      ...seeds.map((id, at) => [`seed ${at + 1}`, `${names.get(id) ?? ""} ${id}`.trim()])
    ],
    { caption: "What the run was started with; pins of models, hashes of split and prompt" }
  )}${
    campaign === null
      ? html`<p>The campaign’s file cannot be read any more, so its limits are not known.</p>`
      : table(
          [["limit", "value"], ["iterations", campaign.iterations], ...fieldsOf(campaign.budget, "budget")].map((row) =>
            row.map((cell) => cell)
          ),
          { caption: "Limits, as the campaign’s file has them now; they may have been raised since" }
        )
  }`
}
