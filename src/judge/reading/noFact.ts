import { nameOf, nothings, wordOf } from "./words.ts"

const leftOut =
  /^(?:(?:facts? )?(?:considered,? (?:and |but )?)?(?:not (?:established|included|listed|facts?)|non facts?|left out|removed|dropped|excluded|omitted|rejected|discarded|ignored|unsupported|unclear|uncertain|unconfirmed)(?: (?:facts?|items?|statements?))?|questions?|transcript|dialogue|turns|example)$/

/** Whether a field's name says that what it holds was left out, or is no statement. "Excluded diagnoses" are facts. */
export const isLeftOut = (name: string): boolean => leftOut.test(nameOf(name).replaceAll("_", " "))

/** The same of a heading, or undefined for a line that is none. */
export const headsLeftOut = (line: string): boolean | undefined =>
  /^ ?(?:#{1,6} |\*\*)|:[*_]{0,2} ?$/.test(line) ? leftOut.test(wordOf(line.replace(/[#:]/g, ""))) : undefined

/** A word for no fact at all: "None", "(no facts)", "none established". */
export const saysNothing = (text: string): boolean => {
  const word = wordOf(text.replace(/[()[\]]/g, ""))
  return (
    nothings.has(word) ||
    /^(?:none|no facts?)(?: (?:were |was |are |is )?(?:established|listed|found|given|stated))?$/.test(word)
  )
}

/** The shape's own placeholder in place of a fact: "fact 1", "<fact>", "string". */
export const isPlaceholder = (text: string): boolean =>
  /^[<[{(]?\s?(?:(?:one |the |next |first |second )?(?:fact|item|statement)(?: (?:\d{1,3}|one|two|three))?|string|text)\s?[>\]})]?\.?$/i.test(
    text.trim()
  ) || /^<[^<>]{1,80}>$/.test(text.trim())

/** What an assistant says of itself or its task: no consultation established it. */
export const isTalk = (text: string): boolean =>
  /^(?:i['’]m|i am) (?:sorry|unable to|not able to)\b|^(?:sorry|unfortunately), (?:but )?i\b|^as an ai\b|^(?:i (?:cannot|can['’]t|can not|could not|won['’]t|apologi[sz]e))\b.{0,80}\b(?:help|assist|comply|list|extract|identify|provide|share|facts?|transcript)\b|^(?:there (?:is|was) )?no (?:transcript|consultation|conversation) (?:was |is |has been )?(?:provided|given|available|supplied|attached|included)\b|^the transcript (?:is|was) (?:empty|missing|not (?:provided|given|available)|too short)\b|^(?:(?:first|then|next|now|finally),? )?i(?:['’]ll| will|['’]m going to| am going to) (?:now |first |then )?(?:read|list|extract|review|go through|identify)\b/i.test(
    text.slice(0, 300).replace(/\s+/g, " ").trim()
  )
