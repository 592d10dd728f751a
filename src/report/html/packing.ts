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
  /** Null: the data are the numbers, 64 bits each. Else a place in this list, of 8 bits, or of 16 if that is too few. */
  readonly values: ReadonlyArray<number> | null
  readonly data: string
}

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

/** The greatest two places of a width stand for what JSON has no number for. */
const codesOf = (values: ReadonlyArray<number>) => {
  const most = values.length <= 0xfe ? 0xff : 0xffff
  return { Places: most === 0xff ? Uint8Array : Uint16Array, notANumber: most, infinite: most - 1 }
}

/** Packs numbers, NaN and positive infinity among them; negative infinity is none of them. */
export const packNumbers = (numbers: ReadonlyArray<number> | Float64Array): PackedNumbers => {
  const places = new Map<number, number>()
  for (const value of numbers) if (Number.isFinite(value) && !places.has(value)) places.set(value, places.size)
  if (places.size > 0xfffe) return { values: null, data: toBase64(new Uint8Array(Float64Array.from(numbers).buffer)) }
  const values = [...places.keys()]
  const { Places, infinite, notANumber } = codesOf(values)
  const packed = new Places(numbers.length)
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at]!
    packed[at] = Number.isNaN(value) ? notANumber : value === Number.POSITIVE_INFINITY ? infinite : places.get(value)!
  }
  return { values, data: toBase64(new Uint8Array(packed.buffer)) }
}

/**
 * Packed numbers as rows of one length, each unpacked when it is asked for first: a page shows a few of hundreds of rows
 * long before it needs the others.
 */
export const unpackRows = ({ data, values }: PackedNumbers, length: number): ((row: number) => Float64Array) => {
  const rows = new Map<number, Float64Array>()
  let places: Float64Array | Uint8Array | Uint16Array | undefined
  const { Places, infinite, notANumber } = codesOf(values ?? [])
  return (row) => {
    const known = rows.get(row)
    if (known !== undefined) return known
    places ??= new (values === null ? Float64Array : Places)(fromBase64(data).buffer)
    const numbers = new Float64Array(length)
    for (let at = 0; at < length; at++) {
      const place = places[row * length + at]!
      numbers[at] =
        values === null
          ? place
          : place === notANumber
            ? Number.NaN
            : place === infinite
              ? Number.POSITIVE_INFINITY
              : values[place]!
    }
    rows.set(row, numbers)
    return numbers
  }
}
