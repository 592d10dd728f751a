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
