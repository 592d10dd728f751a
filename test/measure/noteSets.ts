import type { JudgedNotes, NoteSet } from "../../src/measure/scoredNotes.ts"

/** Consultations of one clean note and `flawed` flawed ones each; classes and severities go round. */
export const noteSet = (consultations: number, flawed: number): NoteSet => {
  const each = flawed + 1
  const pairs = Array.from({ length: consultations * flawed }, (_, pair) => ({
    clean: each * Math.floor(pair / flawed),
    flawed: each * Math.floor(pair / flawed) + 1 + (pair % flawed),
    code: pair % 3
  }))
  return {
    consultation: Int32Array.from({ length: consultations * each }, (_, note) => Math.floor(note / each)),
    consultations,
    clean: Int32Array.from({ length: consultations }, (_, at) => each * at),
    pairs: {
      flawed: Int32Array.from(pairs, (pair) => pair.flawed),
      clean: Int32Array.from(pairs, (pair) => pair.clean),
      class: Int8Array.from(pairs, ({ code }) => code),
      trace: new Int8Array(pairs.length).fill(-1),
      severity: Int8Array.from(pairs, ({ code }) => code),
      stratum: new Int32Array(pairs.length).fill(-1)
    },
    strata: []
  }
}

/** A run in which every note was judged; NaN for a judgement that could not be read. */
export const judgedAll = (scores: ReadonlyArray<number>, replicate = "1", judge = "j"): JudgedNotes => ({
  judge,
  replicate,
  scores: Float64Array.from(scores),
  judged: new Uint8Array(scores.length).fill(1)
})
