/** One scheme's colours. Every pair that meets on the page is held to WCAG 2.2 contrasts by a test. */
export interface Palette {
  readonly page: string
  readonly card: string
  readonly sunk: string
  readonly ink: string
  readonly soft: string
  readonly rule: string
  /** Borders of controls, axes. */
  readonly edge: string
  readonly link: string
  readonly focus: string
  /** Flawed notes, losses, what is only in the clean note; and the grounds of such words. */
  readonly flawed: string
  readonly flawedGround: string
  /** Clean notes, gains, what is only in the flawed note. */
  readonly clean: string
  readonly cleanGround: string
  readonly winner: string
  readonly good: string
  readonly bad: string
  readonly open: string
  /** Rewards from 0 to 1. */
  readonly ramp: ReadonlyArray<string>
  /** Where there is no reward. */
  readonly missing: string
}

/** From dark to light whatever the scheme, so that it can be told apart in grey and by every eye: after cividis. */
const ramp = ["#00224e", "#2a3f6d", "#575d6d", "#7d7c78", "#a59c74", "#d3c064", "#fee838"]

/** Blue and orange, which every common kind of colour blindness tells apart, and which differ in lightness too. */
export const light: Palette = {
  page: "#faf8f4",
  card: "#ffffff",
  sunk: "#f1ede5",
  ink: "#1c2126",
  soft: "#555b63",
  rule: "#ddd7cb",
  edge: "#817a6e",
  link: "#1d4f91",
  focus: "#1d4f91",
  flawed: "#b3430a",
  flawedGround: "#fde7d8",
  clean: "#1d5fa8",
  cleanGround: "#dceafa",
  winner: "#7a4a00",
  good: "#0b6b53",
  bad: "#b3430a",
  open: "#5b5486",
  ramp,
  missing: "#b9b4aa"
}

export const dark: Palette = {
  page: "#14171b",
  card: "#1c2026",
  sunk: "#262b33",
  ink: "#eceae5",
  soft: "#b3b7bd",
  rule: "#353b45",
  edge: "#868d98",
  link: "#8fc1f7",
  focus: "#ffd37a",
  flawed: "#f79a5c",
  flawedGround: "#4a2a14",
  clean: "#7fb8f3",
  cleanGround: "#173454",
  winner: "#f3c264",
  good: "#63d1ae",
  bad: "#f79a5c",
  open: "#b9b0ea",
  ramp,
  missing: "#626872"
}

export const variables = (palette: Palette): string =>
  Object.entries(palette)
    .flatMap(([name, value]) =>
      typeof value === "string"
        ? [`--${name}:${value}`]
        : (value as ReadonlyArray<string>).map((colour, at) => `--ramp${at}:${colour}`)
    )
    .join(";")

const channels = (colour: string): ReadonlyArray<number> =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** A colour `share` of the way along the ramp, as `#rrggbb`. */
export const rampColour = (ramp: ReadonlyArray<string>, share: number): string => {
  const place = Math.min(1, Math.max(0, share)) * (ramp.length - 1)
  const below = Math.min(Math.floor(place), ramp.length - 2)
  const [from, to] = [channels(ramp[below]!), channels(ramp[below + 1]!)]
  return `#${from
    .map((value, at) =>
      Math.round(value + (to[at]! - value) * (place - below))
        .toString(16)
        .padStart(2, "0")
    )
    .join("")}`
}
