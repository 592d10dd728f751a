export interface Tolerance {
  readonly abs: number
  readonly rel: number
}

export interface KindTolerance extends Partial<Tolerance> {
  readonly fields?: Readonly<Record<string, Partial<Tolerance>>>
}

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const within = (got: number, want: number, { abs, rel }: Tolerance): boolean =>
  Math.abs(got - want) <= abs + rel * Math.abs(want)

const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Where `got` differs from `want`: one line a difference, none when it matches. Every key of `want` must be in `got`. */
export const differences = (
  got: Json | undefined,
  want: Json,
  tolerance: Tolerance,
  path: string
): ReadonlyArray<string> => {
  const different = [
    `${path}: got ${JSON.stringify(got)}${Number.isNaN(got) ? " (NaN)" : ""}, want ${JSON.stringify(want)}`
  ]
  if (typeof want === "number") return typeof got === "number" && within(got, want, tolerance) ? [] : different
  if (Array.isArray(want)) {
    if (!Array.isArray(got) || got.length !== want.length) return different
    return want.flatMap((item: Json, i) => differences(got[i], item, tolerance, `${path}[${i}]`))
  }
  if (isRecord(want)) {
    if (!isRecord(got)) return different
    return Object.entries(want).flatMap(([key, value]) => differences(got[key], value, tolerance, `${path}.${key}`))
  }
  return got === want ? [] : different
}

/** The fields of one output by the tolerance of the kind, or the field's own. */
export const outputDifferences = (
  got: Readonly<Record<string, Json>>,
  want: Readonly<Record<string, Json>>,
  tolerance: KindTolerance,
  notOffered: ReadonlyArray<string>
): ReadonlyArray<string> =>
  Object.entries(want)
    .filter(([field]) => !notOffered.includes(field))
    .flatMap(([field, value]) => {
      const own = tolerance.fields?.[field] ?? tolerance
      return differences(got[field], value, { abs: own.abs ?? 0, rel: own.rel ?? 0 }, field)
    })
