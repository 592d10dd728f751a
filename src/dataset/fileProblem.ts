import type { PlatformError } from "effect/PlatformError"
import type { Problem } from "../domain/InputError.ts"

/** Why a file that the user named cannot be read; `what` is what it should have been, as "the dataset". */
export const fileProblem = (file: string, what: string, error: PlatformError): Problem => {
  const reason = error.reason
  const cause = "cause" in reason && reason.cause instanceof Error ? reason.cause.message : reason.message
  if (reason._tag === "NotFound") return { file, what: `${what} is not there`, hint: "Check the path" }
  if (reason._tag === "PermissionDenied")
    return { file, what: `${what} may not be read`, hint: "Check its permissions" }
  if (/EISDIR|illegal operation on a directory/.test(cause))
    return { file, what: `${what} is a folder`, expected: "a file" }
  if (/ENOTDIR/.test(cause))
    return { file, what: `${what} is not there`, hint: "A part of its path is a file, not a folder" }
  return { file, what: `${what} cannot be read: ${cause}` }
}

/** Why a file that is to be made cannot be written. */
export const writeProblem = (file: string, what: string, error: PlatformError): Problem => {
  const { reason } = error
  const cause = "cause" in reason && reason.cause instanceof Error ? reason.cause.message : reason.message
  if (reason._tag === "PermissionDenied")
    return { file, what: `${what} may not be written`, hint: "Check the permissions of its folder" }
  if (/ENOSPC/.test(cause)) return { file, what: `${what} cannot be written: no room is left on the disk` }
  if (/EDQUOT/.test(cause)) return { file, what: `${what} cannot be written: your quota of the disk is used up` }
  if (/EROFS/.test(cause)) return { file, what: `${what} cannot be written: its file system is read-only` }
  if (/ENOTDIR|EEXIST/.test(cause))
    return { file, what: `${what} cannot be written here`, hint: "A part of its path is a file, not a folder" }
  return { file, what: `${what} cannot be written: ${cause}` }
}
