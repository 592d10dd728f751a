import * as Schema from "effect/Schema"
import { CampaignFile } from "../domain/Campaign.ts"

/**
 * The JSON Schema (draft 2020-12) of `campaign.yaml`, for editors: `# yaml-language-server: $schema=…`. It helps while
 * writing; `loadCampaign` decides. It cannot say that a file is missing or that a seed has no instruction.
 */
export const campaignJsonSchema = (): Readonly<Record<string, unknown>> => {
  const document = Schema.toJsonSchemaDocument(CampaignFile, { onExcessProperty: "error", generateDescriptions: true })
  const definitions = Object.keys(document.definitions).length === 0 ? {} : { $defs: document.definitions }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "assize campaign",
    ...document.schema,
    ...definitions
  }
}
