const thinkingTags = ["think", "thinking", "thought", "reasoning", "analysis", "scratchpad"]

/** Reasoning that some models leave in front of their answer; what it holds is not the answer. By index, in linear time. */
export const withoutThinking = (text: string): string => {
  const lower = text.toLowerCase()
  const end = Math.max(
    ...thinkingTags.map((tag) => {
      const at = lower.lastIndexOf(`</${tag}>`)
      return at === -1 ? 0 : at + tag.length + 3
    })
  )
  const answer = text.slice(end)
  // Thinking that never ends has no answer behind it.
  return thinkingTags.some((tag) => lower.slice(end).trimStart().startsWith(`<${tag}>`)) ? "" : answer
}

/** Runs of white space as one character, so that no pattern has much to go back over. */
export const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim()

/** What is read of a reply that lists something: far more than an answer needs, so that no reply can hold up the run. */
export const listLength = 100_000

/** A reply without its thinking, byte order marks and invisible spaces. */
export const answerOf = (reply: string): string =>
  withoutThinking(reply.replace(/[\uFEFF\u200B\u2060]/g, "").replace(/\r\n?/g, "\n")).trim()
