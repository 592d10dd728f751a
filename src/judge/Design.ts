import type { JudgeConfig, ModelConfig } from "../domain/Campaign.ts"
import type { Instructions } from "../domain/Candidate.ts"
import type { Severity } from "../domain/Dataset.ts"
import type { DesignName } from "../domain/DesignName.ts"
import type { Finding } from "../domain/Judgement.ts"
import type { AnswerSchema, Completion, Message } from "../model/LanguageModel.ts"
import type { NoteView, TranscriptView, WholeView } from "./blindness.ts"

/** A part of the judge with an instruction of its own: what can evolve. Preamble and contract are fixed. */
export interface Module {
  readonly name: string
  readonly preamble: string
  readonly contract: string
  /** The instruction where nobody gives another. */
  readonly instruction: string
}

/** A fact that a stage has listed. Its severity is of the audit, and no prompt of a check holds it. */
export interface ListedFact {
  readonly id: string
  readonly text: string
  readonly severity?: Severity
}

export interface FactVerdict {
  readonly verdict: "full" | "partial" | "absent" | "present"
  /** The note's own words. */
  readonly quote?: string
  readonly rescued?: boolean
}

/** What the stages that read the consultation alone have found: nothing in it comes from a note. */
export interface ConsultationWork {
  readonly facts?: ReadonlyArray<ListedFact>
}

/** What the stages have found so far of one note. */
export interface Work extends ConsultationWork {
  /** Of a whole-note judge; of a yes/no judge 1 for a note that passes, 0 for one that is flagged. */
  readonly score?: number
  readonly reason?: string
  readonly verdicts?: ReadonlyMap<string, FactVerdict>
  /** Questions or criteria with their answers, as they are kept. */
  readonly findings?: ReadonlyArray<Finding>
  /** Counted on the way: verdicts coerced, rescues refused. */
  readonly counts?: Readonly<Record<string, number>>
}

/** What was read of the replies to a question: the new state of the work, what to ask once more, or nothing. */
export type Reading =
  | { readonly kind: "read"; readonly work: (before: Work) => Work }
  | { readonly kind: "again"; readonly why: string; readonly messages: ReadonlyArray<Message> }

/** A reply as readers get it. One that broke off or was refused is not `complete`, and no answer whatever it says. */
export interface Heard {
  readonly text: string
  readonly complete: boolean
}

export const heard = ({ finish, text }: Pick<Completion, "finish" | "text">): Heard => ({
  text,
  complete: finish === "stop" || finish === "other"
})

/** One call of a stage, and its one retry. */
export interface Question {
  /** Which of a stage's several questions: a criterion's id; empty where there is but one. */
  readonly about: string
  readonly messages: ReadonlyArray<Message>
  readonly answer: AnswerSchema
  /** Reads the first reply, or the first and that to the retry. Pure. */
  readonly read: (first: Heard, second?: Heard) => Reading
}

interface Views {
  readonly transcript: TranscriptView
  readonly note: NoteView
  readonly "transcript and note": WholeView
}

interface Works {
  readonly transcript: ConsultationWork
  readonly note: Work
  readonly "transcript and note": Work
}

interface StageOf<Sees extends keyof Views> {
  /** How exports and forecasts call it. */
  readonly name: string
  /** Whose instruction it follows. */
  readonly module: string
  /** What its prompt builder is given; there is no way to the rest. */
  readonly sees: Sees
  /**
   * What it is asked once for. Answers of a `consultation` are shared by its notes, all samples, candidates with the
   * same instruction, replicates and runs; the others are asked anew for each of the k samples.
   */
  readonly per: Sees extends "transcript" ? "consultation" : "note" | "absent facts" | "criterion"
  /** What it asks; nothing where there is nothing to ask, and then the work stays as it is. */
  readonly questions: (view: Views[Sees], work: Works[Sees], instruction: string) => ReadonlyArray<Question>
  /** Tokens of a typical answer, for forecasts. */
  readonly outputTokens: number
}

export type Stage = { readonly [Sees in keyof Views]: StageOf<Sees> }[keyof Views]

/** What the scores of a design mean, and the gap between twins that earns the whole reward [OB §B.4]. */
export interface DesignScale {
  readonly min: number
  readonly max: number
  readonly margin: number
}

export const tenPoints: DesignScale = { min: 0, max: 10, margin: 3 }
export const shares: DesignScale = { min: 0, max: 1, margin: 0.05 }

/** One sample's judgement of a note, out of the finished work. */
export interface Conclusion {
  readonly score: number
  readonly reason?: string
  readonly findings?: ReadonlyArray<Finding>
  /** By the design's own rule; left out where it has none beside the threshold. */
  readonly flagged?: boolean
  readonly details?: Readonly<Record<string, number>>
}

/** A judge of a consensus, with what it takes to run it. */
export interface Member {
  readonly name: string
  readonly judge: JudgeConfig
  readonly design: Design
  /** The one that the consensus is asked of, if left out. */
  readonly model?: ModelConfig
}

/** Instructions under a name, for every module that they are about; the others keep their own. */
export interface NamedInstructions {
  readonly name: string
  readonly instructions: Instructions
}

/**
 * A way of judging, as one value: everything else (runs, forecasts, grids, exports) knows a design through it. A design
 * has either stages, asked in their order, or members.
 */
export interface Design {
  readonly name: DesignName
  /** In one line, for people. */
  readonly summary: string
  readonly modules: ReadonlyArray<Module>
  readonly stages: ReadonlyArray<Stage>
  readonly scale: DesignScale
  /** Null where the work is not enough for a score: such a judgement counts as unreadable. */
  readonly conclude: (work: Work) => Conclusion | null
  /** Joins the scores of the readable samples, at least one. */
  readonly join: (scores: ReadonlyArray<number>) => number
  /** The wordings that a comparison of designs takes, each beside the modules' own instructions. */
  readonly wordings: ReadonlyArray<NamedInstructions>
  /** The numbers of samples that a comparison of designs takes. */
  readonly repeats: ReadonlyArray<number>
  readonly members?: ReadonlyArray<Member>
}
