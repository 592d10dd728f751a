/** A reply as models have given it, and what must be read from it. */
export type Shape<E> = readonly [name: string, reply: string, expected: E]

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

/** A value as Python prints it. */
const python = (value: Json): string => {
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value === "string") return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  if (typeof value === "number") return String(value)
  if (isList(value)) return `[${value.map(python).join(", ")}]`
  return `{${Object.entries(value)
    .map(([name, field]) => `'${name}': ${python(field)}`)
    .join(", ")}}`
}

const upper = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (isList(value)) return value.map(upper)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toUpperCase(), upper(field)]))
}

/** The same answer as it comes in forty coats. The strings of `answer` hold no double quotes. */
export const coated = <E>(answer: { readonly [name: string]: Json }, expected: E): ReadonlyArray<Shape<E>> => {
  const plain = JSON.stringify(answer)
  const pretty = JSON.stringify(answer, null, 2)
  const same = (name: string, reply: string): Shape<E> => [name, reply, expected]
  return [
    same("compact JSON", plain),
    same("indented JSON", pretty),
    same("JSON indented by tabs", JSON.stringify(answer, null, "\t")),
    same("a fence", `\`\`\`json\n${pretty}\n\`\`\``),
    same("a fence without a language", `\`\`\`\n${plain}\n\`\`\``),
    same("a fence of tildes", `~~~json\n${plain}\n~~~`),
    same("a fence that never closes", `\`\`\`json\n${plain}`),
    same("the word json before it", `json\n${plain}`),
    same("a heading and a fence", `## Result\n\n\`\`\`json\n${plain}\n\`\`\`\n`),
    same("prose before it", `Here is what I found after reading both texts:\n\n${plain}`),
    same("prose behind it", `${plain}\n\nLet me know if you would like me to go into detail.`),
    same("prose around it", `Sure! I looked at this with care.\n${pretty}\nHope this helps!`),
    same("prose with braces before it", `I used the template {like this} for it. ${plain}`),
    same("prose with brackets before it", `As [1] and [2] explain: ${plain}`),
    same("a byte order mark", `\uFEFF${plain}`),
    same("zero-width spaces", `\u200B${plain}\u200B`),
    same("Windows line ends", pretty.replaceAll("\n", "\r\n")),
    same(
      "no-break spaces for indents",
      pretty.replaceAll(/^ +/gm, (spaces) => "\u00a0".repeat(spaces.length))
    ),
    same("white space around it", `\n\n   ${plain}   \n\n`),
    same("thinking before it", `<think>Let me see what the note says.</think>\n${plain}`),
    same("thinking with a draft before it", `<think>Maybe {"draft": [1, 2]}, but no.</think>${plain}`),
    same("thinking whose opening tag is missing", `First I compare the two.\n</think>\n\n${plain}`),
    same("a reasoning tag before it", `<reasoning>\nStep by step.\n</reasoning>\n${plain}`),
    same("an answer tag around it", `<answer>\n${plain}\n</answer>`),
    same("a speaker before it", `assistant: ${plain}`),
    same("a function call", `submit(${plain})`),
    same("an assignment", `const result = ${plain};`),
    same("a trailing comma", plain.replace(/\}$/, ",}")),
    same("trailing commas at all depths", pretty.replaceAll(/([}\]"\w])\n(\s*[}\]])/g, "$1,\n$2")),
    same("Python quotes and literals", python(answer)),
    same("curly quotes", plain.replaceAll(/"([^"]*)"/g, "“$1”")),
    same("bare names", plain.replaceAll(/"(\w+)":/g, "$1:")),
    same("a comment at a line's end", pretty.replace(/\{\n/, "{ // the answer\n")),
    same("a comment block", pretty.replace(/\{\n/, "{\n  /* as asked */\n")),
    same("a comment with a hash", pretty.replace(/\{\n/, "{\n  # as asked\n")),
    same("JSON in a JSON string", JSON.stringify(plain)),
    same("indented JSON in a JSON string", JSON.stringify(pretty)),
    same("escaped quotes without a string around", plain.replaceAll('"', '\\"')),
    same("a record around it", JSON.stringify({ output: answer })),
    same("a record with the answer as a string", JSON.stringify({ output: plain })),
    same("a list of one", JSON.stringify([answer])),
    same("the same answer twice", `${plain}\n${plain}`),
    same("names in capitals", JSON.stringify(upper(answer))),
    same("a field that nobody asked for", JSON.stringify({ confidence: 0.9, ...answer })),
    same("full-width colons", plain.replaceAll('":', '"：'))
  ]
}

/** What holds no answer to any contract. */
export const empty = <E>(unreadable: E, prompt: string, shapeOfContract: string): ReadonlyArray<Shape<E>> => {
  const none = (name: string, reply: string): Shape<E> => [name, reply, unreadable]
  return [
    none("nothing", ""),
    none("white space", " \r\n\t "),
    none("a byte order mark alone", "\uFEFF"),
    none("a refusal", "I'm sorry, but I can't help with that."),
    none(
      "a refusal with a reason",
      "As an AI language model I am not able to give medical advice. Please see a clinician."
    ),
    none("a refusal in another language", "Es tut mir leid, dabei kann ich nicht helfen."),
    none("a promise", "I will now go through the transcript and get back to you with my answer."),
    none("an empty record", "{}"),
    none("an empty list", "[]"),
    none("null", "null"),
    none("an empty fence", "```json\n```"),
    none("an error of the server", '{"error": {"message": "The model is overloaded.", "type": "server_error"}}'),
    none("a page of HTML", "<html><body><h1>502 Bad Gateway</h1></body></html>"),
    none("thinking that never ends", `<think>So the answer might be ${shapeOfContract}`),
    none("thinking and nothing behind it", `<think>${shapeOfContract}</think>`),
    none("the contract's example", shapeOfContract),
    none("the contract's example in a fence", `\`\`\`json\n${shapeOfContract}\n\`\`\``),
    none("the prompt", prompt),
    none("one character over and over", "}".repeat(400))
  ]
}
