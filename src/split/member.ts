import type { Consultation } from "../domain/Dataset.ts"
import type { Member, PartName } from "../domain/Split.ts"

/**
 * The one place where a consultation becomes a member of a part. The brand exists for the type checker alone, so this
 * is a cast; whoever calls it vouches that a verified manifest puts the consultation in that part. It makes no holdout
 * members: only confirmation may, in a place of its own.
 */
export const asMember = <P extends Exclude<PartName, "holdout">>(consultation: Consultation, _part: P): Member<P> =>
  consultation as Member<P>
