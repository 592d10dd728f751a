import type { Instructions } from "../domain/Candidate.ts"
import { InputError, type Problem, showValue } from "../domain/InputError.ts"
import { type Item, noteIdOf } from "../domain/Item.ts"
import type { Design } from "./Design.ts"
import { blindnessProblems } from "./requests.ts"

const shown = 5

const readsTranscripts = ({ members = [], stages }: Design): boolean =>
  stages.some(({ sees }) => sees === "transcript") || members.some(({ design }) => readsTranscripts(design))

/**
 * What of the notes keeps a design from judging them: consultations without the transcript that its facts come from, and
 * transcripts with a stretch of a note in them, so that a stage that must not see the note would. Of `sealed` notes no
 * word is shown.
 */
export const designProblems = (
  file: string,
  design: Design,
  items: ReadonlyArray<Item>,
  { instructions, sealed = false }: { readonly instructions?: Instructions; readonly sealed?: boolean } = {}
): ReadonlyArray<Problem> => {
  if (!readsTranscripts(design)) return []
  const without = [
    ...new Set(items.filter(({ transcript }) => transcript === null).map(({ consultation }) => consultation))
  ]
  const byId = new Map(items.map((item) => [item.id, item]))
  const seen = blindnessProblems(design, items, instructions)
  return [
    ...(without.length === 0
      ? []
      : [
          {
            file,
            what: `the design ${design.name} lists facts from the transcript, and ${without.length} consultations have none`,
            found: without
              .slice(0, shown)
              .map((id) => showValue(id))
              .join(", "),
            hint: "Use a design that judges the note as a whole, or leave these consultations out"
          }
        ]),
    ...seen.slice(0, shown).map(({ consultation, note, stage, stretch }) => ({
      file,
      what: `consultation ${showValue(consultation)}: its transcript holds a stretch of its note ${showValue(noteIdOf(byId.get(note)!))}, which the stage ${stage} of the design ${design.name} must not see; nothing was sent`,
      ...(sealed ? {} : { found: showValue(stretch) }),
      hint:
        seen.length > shown
          ? `${seen.length - shown} more notes are like that. Take the notes out of the transcripts, or use a design that may see both`
          : "Take the note out of the transcript, or use a design that may see both"
    }))
  ]
}

export const checkDesign = (file: string, design: Design, items: ReadonlyArray<Item>): InputError | undefined => {
  const problems = designProblems(file, design, items)
  return problems.length === 0 ? undefined : new InputError({ problems })
}
