import { createHash } from "node:crypto"
import { foldRun, type RunState } from "../../optimise/RunState.ts"
import { summaryFigures } from "../../terminal/summaryFigures.ts"
import { usageRemarks, usageRows } from "../../terminal/usageTable.ts"
import { embeddedLabel } from "../../terminal/words.ts"
import { acceptancePart, acceptanceReport } from "./acceptancePart.ts"
import { auditPart } from "./auditPart.ts"
import { baselineOf, reportData } from "./buildData.ts"
import { candidatesTable, costTable, rejectedTable, rewardsTable } from "./candidatesPart.ts"
import { confirmationPart } from "./confirmationPart.ts"
import { jsonForScript } from "./escape.ts"
import { failuresPart } from "./failuresPart.ts"
import { details, foreign, Html, html, nothing, remarks, table } from "./markup.ts"
import type { ReportInput } from "./ReportInput.ts"
import { settingsPart } from "./settingsPart.ts"
import { styleSheet } from "./styleSheet.ts"
import { summaryPart } from "./summaryPart.ts"

interface Part {
  readonly id: string
  readonly title: string
  readonly lead?: string
  readonly content: Html
}

/** Where the page's script draws; what it says without the script. */
const drawn = (name: string): Html =>
  html`<div class="drawn" data-draw="${name}"><noscript><p class="note">This drawing needs JavaScript; the tables of this report hold its figures.</p></noscript></div>`

const partsOf = (input: ReportInput, state: RunState, data: ReturnType<typeof reportData>): ReadonlyArray<Part> => {
  const events = input.logged.map(({ event }) => event)
  const figures = summaryFigures(state, {
    runId: input.run.id,
    usage: input.usage,
    ...(input.campaign === null ? {} : { iterations: input.campaign.iterations })
  })
  const quotes = input.texts.kind !== "left-out"
  const { roles = [] } = input.usage
  return [
    {
      id: "summary",
      title: "Summary and verdict",
      content: html`${summaryPart(figures, input.usage, input.confirmations, baselineOf(state)?.candidate.id)}${acceptancePart(acceptanceReport(input, state))}`
    },
    {
      id: "course",
      title: "Course of the search",
      lead: "Each mark is a candidate of the pool, at the iteration that made it; the line is the best so far. Values of the acceptance part, which chooses: the line can only rise.",
      content: drawn("course")
    },
    {
      id: "lineage",
      title: "Lineage",
      lead: "One lane for each candidate, from its birth to its last use as a parent. A cross is a proposal that was rejected. Select a mark for its instruction and what it changed.",
      content: html`${drawn("lineage")}${details("Candidates as a table", candidatesTable(data))}${details("Rejected proposals as a table", rejectedTable(data))}`
    },
    {
      id: "rewards",
      title: "Rewards by instance",
      lead: "A row for each candidate, a column for each instance of the acceptance part: what the search selects by.",
      content: html`${drawn("heat")}${details("Mean rewards as a table", rewardsTable(data, state))}`
    },
    {
      id: "plane",
      title: "Detection and false alarms",
      lead: "Each candidate at an operating point. Left of the line false alarms keep to the cap.",
      content: html`${drawn("plane")}<p class="note">The table of candidates under Lineage holds these figures with their intervals.</p>`
    },
    {
      id: "scores",
      title: "Scores and thresholds",
      lead: "How clean and flawed notes score, and what each threshold would detect and wrongly flag.",
      content: drawn("scores")
    },
    {
      id: "flips",
      title: "Flips",
      lead: "Pairs of the acceptance part that one judge orders right and the other does not. A tie is not right.",
      content: html`${data.withoutTexts === null ? nothing : html`<p class="empty">${foreign(data.withoutTexts)}</p>`}${drawn("flips")}`
    },
    {
      id: "confirmation",
      title: "Confirmation on the holdout",
      content: confirmationPart(input.confirmations, input.run.id)
    },
    { id: "audit", title: "Audit of the instruction", content: auditPart(input.audit, input.run.id, { quotes }) },
    {
      id: "cost",
      title: "Budget and cost",
      lead: "Bought for this run, as it went on. Answers that the store had already cost nothing again and are not in here.",
      content: html`${drawn("cost")}${
        roles.length === 0
          ? html`<p>No call was made for this run.</p>`
          : html`${table(usageRows(roles), { caption: "Calls, tokens and cost by role" })}${remarks(usageRemarks(roles))}`
      }${details("The course as a table", costTable(data))}`
    },
    { id: "failures", title: "Parse failures and failed calls", content: failuresPart(events, state, { quotes }) },
    { id: "settings", title: "Settings and pins", content: settingsPart(input, state) }
  ]
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Text as the content of a script or style element, which has no escapes: it must not hold what ends one. */
const inline = (text: string, what: string): Html => {
  const content = text.replace(/\r\n?/g, "\n")
  if (/<\/(script|style)|<!--|\u0000/i.test(content)) throw new Error(`the report's ${what} cannot stand in a page`)
  return new Html(content)
}

/**
 * The report of a run as one HTML file that asks for nothing else: the strict content-security policy allows the given
 * script and the style by their hashes, and no address at all. `script` is the page's own, bundled.
 */
export const reportPage = (input: ReportInput, script: string): string => {
  const state = foldRun(input.logged.map(({ event }) => event))
  const data = reportData(input, state)
  const parts = partsOf(input, state, data)
  const code = inline(script, "script")
  const style = inline(styleSheet(), "style")
  const policy = `default-src 'none'; script-src ${hashOf(code.text)}; style-src ${hashOf(style.text)}; img-src data:; base-uri 'none'; form-action 'none'`
  const { campaign, models } = input.run.settings
  const embedded = [models.judge, models.reflection].some(
    (model) => typeof model === "object" && model !== null && Reflect.get(model, "provider") === "embedded"
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="assize ${input.version}">
<title>${input.run.id} · assize report</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top"><p class="mark"><span aria-hidden="true">⚖︎</span> assize</p><h1>Run ${foreign(input.run.id)}</h1><p>Campaign ${foreign(campaign)}, begun ${new Date(input.run.created).toISOString().slice(0, 16).replace("T", " ")} UTC; report made ${input.made.slice(0, 16).replace("T", " ")} UTC by assize ${input.version}.</p>${
    embedded
      ? html`<p class="banner" role="note"><b>Stand-in model.</b> ${embeddedLabel}. Nothing in this report is evidence.</p>`
      : nothing
  }</header>
<nav class="toc" aria-label="Parts of the report"><ol>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ol></nav>
<main id="main" tabindex="-1">${parts.map(
    ({ content, id, lead, title }) =>
      html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${lead === undefined ? nothing : html`<p class="lead">${lead}</p>`}${content}</section>`
  )}</main>
<footer><p>Every figure has its n, and its interval or test where one exists. The acceptance part picked the winner, so its figures flatter the winner; only a confirmation on the sealed holdout is evidence.</p><p>This file holds everything that it shows and asks for nothing over the network. ${
    input.texts.kind === "known"
      ? "It quotes notes of the data set: share it as you may share those."
      : "It holds no note of the data set."
  }</p></footer>
<div id="live" class="away" role="status" aria-live="polite"></div>
<script type="application/json" id="data">${new Html(jsonForScript(data))}</script>
<script>${code}</script>
</body>
</html>
`
  return page.text
}
