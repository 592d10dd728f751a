import type { Origin } from "../domain/Candidate.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import type { ItemTable } from "../domain/RunEvent.ts"
import type {
  Ablation,
  Audit,
  AuditSettings,
  AuditSubject,
  Leak,
  LeakPart,
  LeakSource,
  LookedAt,
  NotKnown,
  RejectedProposal
} from "./Audit.ts"

/** A candidate as it comes into the audit. */
export interface AuditCandidate {
  readonly id: string
  readonly name: string
  readonly origin: Origin
  readonly parents: ReadonlyArray<string>
  readonly iteration: number
  readonly instructions: Readonly<Record<string, string>>
  /** On the acceptance part, by item id; null where scores by note are not known. */
  readonly outcomes: Outcomes | null
  /** A person ruled it out: it cannot have been selected. */
  readonly vetoed?: true
  /** A seed that an earlier search on the same split made: its words may be copied from these data. */
  readonly searched?: true
  /** As the source gives them, where there are no outcomes. */
  readonly primary?: number | null
  readonly secondary?: number | null
  /** The source's own figures, by its own names. */
  readonly figures?: Readonly<Record<string, number>>
  /** Values by instance that the source selects on, where it has no outcomes. */
  readonly instances?: ReadonlyArray<number | null>
}

/** A consultation's text as leaks are looked for in it. */
export interface AuditText {
  readonly part: LeakPart
  readonly consultation: string
  readonly document: LeakSource["document"]
  readonly note: string | null
  readonly text: string
}

/** What an instruction has that may stand in the data, normalised: see `src/audit/textIndex.ts`. */
export interface Wanted {
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

/** One thing wanted, as the data have it. */
export interface Found {
  /** The first few texts of each part, each with the first place. */
  readonly sources: ReadonlyArray<LeakSource>
  readonly found: Leak["found"]
  readonly consultations: number
  /** Of a word: how often it is used as a name, with a dose after it, and otherwise. */
  readonly uses: { readonly name: number; readonly dosed: number; readonly word: number }
}

/** Texts that can be searched and are not handed out: so that of a holdout nothing is seen but what was hit. */
export interface TextIndex {
  readonly looked: ReadonlyArray<LookedAt>
  search(wanted: Wanted): Readonly<Record<keyof Wanted, ReadonlyMap<string, Found>>>
}

/** Answers that a candidate's acceptance judgements took, summed. */
export interface AuditUsage {
  readonly answers: number
  readonly notes: number
  readonly input: number | null
  readonly output: number | null
  readonly usd: number | null
}

/** All that an audit is computed from. Pure: the same input gives the same audit. */
export interface AuditInput {
  readonly subject: Omit<AuditSubject, "seed">
  /** In the order of birth. */
  readonly candidates: ReadonlyArray<AuditCandidate>
  /** What the seeds of the earlier searches say that made some of the seeds. */
  readonly earlierSeeds?: ReadonlyArray<string>
  readonly rejected: ReadonlyArray<RejectedProposal>
  /** Notes and pairs that the outcomes are of; null without data. */
  readonly table: ItemTable | null
  /** Note texts of the acceptance part by item id, and facts by pair id, for flips. */
  readonly notes: ReadonlyMap<string, string> | null
  readonly facts: ReadonlyMap<string, string> | null
  /** One for each part that may be searched. */
  readonly indices: ReadonlyArray<TextIndex>
  /** Ids of consultations, notes and pairs, and what each is the id of. */
  readonly ids: ReadonlyMap<string, string>
  /** Tokens of a text. */
  readonly tokens: (text: string) => number
  /** The fixed parts of the prompt. */
  readonly fixed: { readonly preamble: string; readonly contract: string }
  readonly usage: ReadonlyMap<string, AuditUsage>
  readonly ablation: Ablation | null
  readonly settings: AuditSettings
  readonly notKnown: ReadonlyArray<NotKnown>
}

/** What `auditOf` in `src/audit/auditOf.ts` is. Takes seconds at most: 200 candidates on 500 instances. */
export type AuditOf = (input: AuditInput) => Audit
