import type { Audit } from "../audit/Audit.ts"
import { bounds, fixed, intervalRemarks, plural, type Section, signed } from "./scoreFormat.ts"

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** What each added paragraph carries, where that was asked for. */
export const ablationSection = ({ ablation }: Audit): ReadonlyArray<Section> => {
  if (ablation === null) return []
  const rows = ablation.paragraphs.map(({ carries, place, size, text, verdict }) => [
    place.line,
    oneLine(text),
    size.characters,
    fixed(carries.before),
    signed(carries.difference),
    bounds(carries),
    verdict,
    `${carries.n} of ${carries.consultations}`
  ])
  return [
    {
      title: "Ablation: the instruction without each added paragraph",
      keys: 2,
      rows:
        rows.length === 0
          ? []
          : [["line", "paragraph", "characters", "without it", "carries", "95 %", "", "n of consultations"], ...rows],
      remarks: [
        rows.length === 0
          ? "there is no paragraph that the seed has not, or nothing would be left without it"
          : `paired discrimination of the whole ${fixed(ablation.value)}; carries: what is lost without the paragraph. Sizes are not additive, since paragraphs may say the same; not adjusted for looking at ${plural(rows.length, "paragraph")}`,
        ...(ablation.failed > 0
          ? [
              `${plural(ablation.failed, "judgement")} could not be had, since calls failed, and are left out; the same command asks for them again`
            ]
          : []),
        ...intervalRemarks(rows)
      ]
    }
  ]
}
