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

const secondThoughts =
  /^\W*(?:(?:but |no,? )?wait\b|actually\b|hmm\b|on (?:reflection|second thought)|correction\b|i (?:misread|take (?:that|it) back|was wrong|made a mistake)|scratch that\b|let me (?:re|correct))/i

/** Whether the prose behind an answer begins to take it back: what holds then cannot be told. */
export const takesBack = (behind: string): boolean =>
  secondThoughts.test(
    behind
      .replace(/```\w*/g, "")
      .trimStart()
      .slice(0, 200)
  )
