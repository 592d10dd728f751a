import type { Problem } from "../domain/InputError.ts"

const patterns = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{12,}/g,
  /\b(?:gsk|hf|xai|ghp|github_pat|glpat)[_-][A-Za-z0-9_-]{16,}/g,
  /\bAIza[0-9A-Za-z_-]{20,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/-]{12,}/g,
  /(?<=:\/\/)[^\s/:@]+:[^\s/@]+(?=@)/g
]

/** The text with all that looks like a key or a password taken out. */
export const withoutSecrets = (text: string): string =>
  patterns.reduce((left, pattern) => left.replace(pattern, "[secret]"), text)

/** A problem for each line with something that looks like an API key or a password in an address. It is not repeated. */
export const secretProblems = (text: string, file: string): ReadonlyArray<Problem> =>
  text.split("\n").flatMap((line, index): ReadonlyArray<Problem> => {
    const found = patterns.map((pattern) => line.search(pattern)).filter((column) => column >= 0)
    if (found.length === 0) return []
    return [
      {
        file,
        line: index + 1,
        column: Math.min(...found) + 1,
        what: "this looks like an API key or a password, which must not stand in a file",
        hint: "Put it in an environment variable and give the variable's name, as in apiKeyEnv: OPENAI_API_KEY. If the file was shared, revoke the key"
      }
    ]
  })
