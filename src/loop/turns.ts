const longest = 50

/** How many ask between two looks at the clock: a look takes up to 0.1 us, and a trial of a dry run, of some 15 us, asks twice. */
const looksEvery = 16

/**
 * Gives a promise to wait for when it is time to let signals and timers in, else undefined. Trials that never wait for
 * anything outside, as those of a dry run, would hear of a Ctrl-C only when the last of them has ended.
 */
export function createTurns(): () => Promise<void> | undefined {
  let last = performance.now()
  let turn: Promise<void> | undefined
  let asked = 0
  return () => {
    // One for all who ask: as long as anybody goes on, the loop does not turn.
    if (!turn && asked++ % looksEvery === 0 && performance.now() - last >= longest)
      turn = new Promise((resolve) => {
        setImmediate(() => {
          last = performance.now()
          turn = undefined
          resolve()
        })
      })
    return turn
  }
}
