/** Answers that are handed on in one turn of the event loop. */
const perTurn = 8

/**
 * Runs what arrives in its order, a few in each turn of the event loop. Answers come in bursts, and undici writes what is
 * sent in a turn only when the turn is over: of a burst that was worked off in one, no place would be filled again
 * before the last answer had been read, and the next burst would be as large.
 */
export const makeTurns = (): ((run: () => void) => void) => {
  let waiting: Array<() => void> = []
  const turn = () => {
    const now = waiting.slice(0, perTurn)
    waiting = waiting.slice(perTurn)
    if (waiting.length > 0) setImmediate(turn)
    for (const run of now) run()
  }
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(turn)
  }
}
