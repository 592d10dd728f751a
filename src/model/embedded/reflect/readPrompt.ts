/** What the reflector finds in its prompt, read from the words alone. */
export interface ReflectionTask {
  readonly instruction: string
  readonly attempts: ReadonlyArray<{ readonly accepted: boolean; readonly instruction: string }>
  readonly traces: ReadonlyArray<ReadTrace>
  /** In characters. */
  readonly lengthLimit: number
}

export interface ReadTrace {
  readonly right: boolean
  readonly kind: "clean" | "omission" | "addition" | "alteration"
  /** The content concerned: its name where there is one, and the passages that differ. */
  readonly content: string
  /** Whether a mention of it is left in the flawed note. */
  readonly survives: boolean
}

/** The text between two marks, the first of each. */
export const between = (text: string, opening: string, closing: string): string | undefined => {
  const start = text.indexOf(opening)
  if (start < 0) return undefined
  const end = text.indexOf(closing, start + opening.length)
  return end < 0 ? undefined : text.slice(start + opening.length, end).trim()
}

const unquoted = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "string" ? value : text
  } catch {
    return text === "(nothing)" ? "" : text
  }
}

const field = (trace: string, pattern: RegExp): string => {
  const found = pattern.exec(trace)
  return found === null ? "" : unquoted(found[1]!)
}

const readTrace = (verdict: string, body: string): ReadTrace | undefined => {
  if (verdict !== "right" && verdict !== "wrong") return undefined
  const kind = /^Truth: flawed\. One (omission|addition|alteration)/m.exec(body)?.[1]
  const fact = field(body, /^(?:Missing fact|Content concerned): (.*)$/m)
  const clean = field(body, /^The clean twin says: (.*)$/m)
  const flawed = field(body, /^The flawed note says instead: (.*)$/m)
  return {
    right: verdict === "right",
    kind: kind === undefined ? "clean" : (kind as "omission" | "addition" | "alteration"),
    content: [fact, kind === "addition" ? flawed : clean].filter((part) => part !== "").join(". "),
    survives: /^A mention survives elsewhere/m.test(body)
  }
}

const defaultLimit = 4000

/** The task of a reflection prompt, or undefined when the text asks for something else. */
export const readReflectionPrompt = (content: string): ReflectionTask | undefined => {
  const instruction = between(content, "<current_instruction>", "</current_instruction>")
  if (instruction === undefined || !content.includes("<<<INSTRUCTION")) return undefined
  const attempts = [...content.matchAll(/^<attempt number="\d+" outcome="([^"]*)">\n([\s\S]*?)\n<\/attempt>$/gm)].map(
    (found) => ({
      accepted: found[1] === "accepted",
      // The first line says what became of it.
      instruction: found[2]!.slice(found[2]!.indexOf("\n") + 1)
    })
  )
  const traces = [...content.matchAll(/^<trace note="[^"]*" verdict="([^"]*)">\n([\s\S]*?)\n<\/trace>$/gm)].flatMap(
    (found) => {
      const trace = readTrace(found[1]!, found[2]!)
      return trace === undefined ? [] : [trace]
    }
  )
  const limit = /at most (\d+) characters/.exec(content.slice(content.lastIndexOf("# Your task")))?.[1]
  return { instruction, attempts, traces, lengthLimit: limit === undefined ? defaultLimit : Number(limit) }
}
