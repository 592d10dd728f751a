import type { PrunePlan } from "../store/prune.ts"
import { statusWords } from "../store/RunStatus.ts"
import type { Money, StoreStats } from "../store/stats.ts"
import type { Verification } from "../store/verify.ts"
import { count, type Paint, plain } from "./output.ts"
import { table } from "./table.ts"

/** `812 B`, `1.2 MB`: decimal units. */
export const bytes = (n: number): string => {
  const units = ["kB", "MB", "GB", "TB"]
  if (n < 1000) return `${n} B`
  let value = n / 1000
  let at = 0
  while (value >= 999.95 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${value.toFixed(1)} ${units[at]}`
}

/** `$1.2034`, `$1.2034 and 3 of unknown price`, `price unknown`: never a bare 0 for what nobody knows. */
export const money = ({ priceUnknown, usd }: Money, n: number): string =>
  priceUnknown === 0
    ? `$${usd.toFixed(4)}`
    : priceUnknown === n
      ? "price unknown"
      : `$${usd.toFixed(4)} and ${priceUnknown} of unknown price`

const when = (time: number | null): string =>
  time === null ? "-" : new Date(time).toISOString().slice(0, 16).replace("T", " ")

export const statsText = (stats: StoreStats, { bold, dim }: Paint): string => {
  const { bytes: on, calls, events, judgements, reuse, runs } = stats
  const { tokens } = judgements
  const byStatus = runs.byStatus.map(({ runs: n, status }) => `${n} ${statusWords(status)}`).join(", ")
  const lines = [
    `${bold("store")}       ${plain(stats.file)} (version ${stats.version})`,
    `${bold("on disk")}     ${bytes(on.total)}: database ${bytes(on.database)}, write-ahead log ${bytes(on.log)}${on.free > 0 ? `; ${bytes(on.free)} free inside` : ""}`,
    `${bold("judgements")}  ${judgements.count}, ${money(judgements, judgements.count)}; ${when(judgements.oldest)} to ${when(judgements.newest)} UTC`,
    `${bold("tokens")}      input ${tokens.input} (${tokens.cachedInput} cached), output ${tokens.output} (${tokens.reasoning} reasoning)${judgements.usageUnknown > 0 ? `; ${count(judgements.usageUnknown, "judgement")} without a usage report` : ""}`,
    `${bold("ended by")}    ${judgements.byFinish.map(({ finish, judgements: n }) => `${finish} ${n}`).join(", ") || "-"}`,
    `${bold("runs")}        ${runs.count}${byStatus === "" ? "" : `: ${byStatus}`}; ${count(events.count, "event")}${events.unchecked > 0 ? ` (${events.unchecked} from before events had checksums)` : ""}`,
    `${bold("calls")}       ${calls.count} by runs${calls.count === 0 ? "" : `: ${calls.byOutcome.map(({ calls: n, outcome }) => `${outcome} ${n}`).join(", ")}`}`,
    `${bold("reuse")}       ${count(reuse.uses, "use")} of ${count(reuse.used, "judgement")}${reuse.used === 0 ? "" : ` (${(reuse.uses / reuse.used).toFixed(2)} each)`}; asking again would have taken ${count(reuse.saved.calls, "call")}, ${reuse.saved.tokens} tokens, ${money(reuse.saved, reuse.saved.calls)}`,
    `${bold("no run's")}    ${count(reuse.unused.judgements, "judgement")}, ${money(reuse.unused, reuse.unused.judgements)} ${dim("(bought by assize score, or by runs that are removed)")}`
  ]
  if (judgements.byModel.length > 0) {
    lines.push(
      "",
      table([
        ["model asked", "address", "served as", "judgements", "tokens", "money"],
        ...judgements.byModel.map((model) => [
          model.asked ?? "(unreadable request)",
          model.address ?? "-",
          model.served ?? "-",
          model.judgements,
          model.tokens,
          money(model, model.judgements)
        ])
      ])
    )
  }
  return lines.join("\n")
}

/** What would go, or went. */
export const planText = (plan: PrunePlan): ReadonlyArray<string> => {
  const parts = [
    ...plan.runs.map((run) => `run ${run} with ${count(plan.events, "event")}`),
    `${count(plan.judgements, "judgement")} (${money(plan, plan.judgements)})`
  ]
  return [
    parts.join(" and "),
    ...(plan.kept.judgements > 0
      ? [
          `${count(plan.kept.judgements, "judgement")} more ${plan.kept.judgements === 1 ? "stays" : "stay"}, because ${plan.kept.runs.length === 0 ? "read-outs of a holdout rest on them" : `unfinished runs or read-outs of a holdout rest on them: ${plan.kept.runs.join(", ")}`} (--force takes them too)`
        ]
      : [])
  ].map(plain)
}

const remedy = (damage: Verification["damage"]): ReadonlyArray<string> => {
  const kinds = new Set(damage.map(({ kind }) => kind))
  return [
    ...(kinds.has("file")
      ? [
          "The file itself is damaged: keep a copy of it, and restore it from an earlier one, or start with another (--store)."
        ]
      : []),
    ...(kinds.has("judgement")
      ? ["Damaged judgements: assize store prune --corrupt removes them; they are bought anew when they are needed."]
      : []),
    ...(kinds.has("run") || kinds.has("call")
      ? [
          "Damaged runs: restore the file from a copy, or start the campaign again with assize run --new, which buys no stored answer twice; assize store prune --run ID removes a run."
        ]
      : [])
  ]
}

export const verificationText = ({ checked, damage, file, remarks }: Verification): string =>
  [
    `${file}: ${count(checked.judgements, "judgement")}, ${count(checked.runs, "run")}, ${count(checked.events, "event")}, ${count(checked.calls, "call")} looked at`,
    ...damage.map(({ row, what }) => `DAMAGED ${row}: ${what}`),
    ...remarks.map((remark) => `note: ${remark}`),
    ...(damage.length === 0 ? ["all as it was written"] : [`${damage.length} damaged`, ...remedy(damage)])
  ]
    .map((line) => plain(line).replaceAll("\n", " "))
    .join("\n")
