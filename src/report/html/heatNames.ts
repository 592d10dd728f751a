/** Less room than this, in pixels, and a name cannot be told from another. */
const leastName = 44
const betweenNames = 6

/**
 * The groups whose names are shown, with the room for each: all where they are wide, else the next to begin where the
 * one before has had enough room to be read. `starts` are left edges and `end` the right
 * one of the map, in pixels.
 */
export const namesFor = (
  starts: ReadonlyArray<number>,
  end: number
): ReadonlyArray<{ readonly at: number; readonly room: number }> => {
  const shown: Array<number> = []
  for (const [at, start] of starts.entries()) {
    const before = shown.at(-1)
    if (before === undefined || start - starts[before]! >= leastName + betweenNames) shown.push(at)
  }
  return shown.map((at, place) => {
    const next = shown[place + 1]
    return { at, room: (next === undefined ? end : starts[next]! - betweenNames) - starts[at]! }
  })
}
