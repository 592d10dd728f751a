/** Texts that have many lines in common, each line once. */
export interface PackedTexts {
  readonly lines: ReadonlyArray<string>
  /** Each text as its lines' places. */
  readonly texts: ReadonlyArray<ReadonlyArray<number>>
}

/** Takes texts in; gives the number under which each is found again. The same text is kept once. */
export interface TextPacker {
  readonly add: (text: string) => number
  readonly packed: () => PackedTexts
  /** Characters of the lines kept so far. */
  readonly size: () => number
}

export const textPacker = (): TextPacker => {
  const lines = new Map<string, number>()
  const known = new Map<string, number>()
  const texts: Array<ReadonlyArray<number>> = []
  let size = 0
  const lineOf = (line: string): number => {
    const at = lines.get(line)
    if (at !== undefined) return at
    size += line.length
    lines.set(line, lines.size)
    return lines.size - 1
  }
  return {
    add: (text) => {
      const at = known.get(text)
      if (at !== undefined) return at
      known.set(text, texts.length)
      return texts.push(text.split("\n").map(lineOf)) - 1
    },
    packed: () => ({ lines: [...lines.keys()], texts }),
    size: () => size
  }
}

/** The text under a number that its packer gave. */
export const unpackText = ({ lines, texts }: PackedTexts, at: number): string =>
  texts[at]!.map((line) => lines[line]!).join("\n")

/** Numbers as base64: places in a list of the distinct ones, or, where these are too many, as they are. */
export interface PackedNumbers {
  /** Null: the data are the numbers, 64 bits each. Else 16 bits each, a place in this list. */
  readonly values: ReadonlyArray<number> | null
  readonly data: string
}

const notANumber = 0xffff
const infinite = 0xfffe

const toBase64 = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const raw = atob(text)
  const bytes = new Uint8Array(raw.length)
  for (let at = 0; at < raw.length; at++) bytes[at] = raw.charCodeAt(at)
  return bytes
}

/** Packs numbers, NaN and positive infinity among them; negative infinity is none of them. */
export const packNumbers = (numbers: ReadonlyArray<number> | Float64Array): PackedNumbers => {
  const places = new Map<number, number>()
  const packed = new Uint16Array(numbers.length)
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at]!
    if (Number.isNaN(value)) packed[at] = notANumber
    else if (value === Number.POSITIVE_INFINITY) packed[at] = infinite
    else {
      let place = places.get(value)
      if (place === undefined) {
        place = places.size
        if (place >= infinite)
          return { values: null, data: toBase64(new Uint8Array(Float64Array.from(numbers).buffer)) }
        places.set(value, place)
      }
      packed[at] = place
    }
  }
  return { values: [...places.keys()], data: toBase64(new Uint8Array(packed.buffer)) }
}

export const unpackNumbers = ({ data, values }: PackedNumbers): Float64Array => {
  const bytes = fromBase64(data)
  if (values === null) return new Float64Array(bytes.buffer)
  return Float64Array.from(new Uint16Array(bytes.buffer), (place) =>
    place === notANumber ? Number.NaN : place === infinite ? Number.POSITIVE_INFINITY : values[place]!
  )
}
