/**
 * Seeded noise as a pure function of (seed, what it is about). A draw about one item of content is the same whatever
 * else is drawn, so two instructions put to one note with one seed overlook the same things where they can.
 * Not `domain/Random`: that hashes with SHA-256, too slow for the thousand draws of a judgement.
 */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return scramble(hash)
}

const scramble = (value: number): number => {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A number in [0, 1) from a seed (a non-negative integer below 2^53) and a hash of what is drawn. */
export const drawHashed = (seed: number, about: number): number => {
  const low = scramble((seed >>> 0) ^ 0x9e3779b9)
  const high = scramble(Math.floor(seed / 2 ** 32) ^ low)
  return scramble(high ^ Math.imul(about, 0x27d4eb2f)) / 2 ** 32
}

export const draw = (seed: number, about: string): number => drawHashed(seed, hashText(about))

/** A standard normal draw (Box and Muller). */
export const normal = (seed: number, about: string): number =>
  Math.sqrt(-2 * Math.log(1 - draw(seed, `${about}/radius`))) * Math.cos(2 * Math.PI * draw(seed, `${about}/angle`))

/** One of the options, which must not be empty. */
export const pick = <A>(options: ReadonlyArray<A>, seed: number, about: string): A =>
  options[Math.floor(draw(seed, about) * options.length)]!
