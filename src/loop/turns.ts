const longest = 50

/**
 * Gives a promise to wait for when it is time to let signals and timers in, else undefined. Trials that never wait for
 * anything outside, as those of a dry run, would hear of a Ctrl-C only when the last of them has ended.
 */
export function createTurns(): () => Promise<void> | undefined {
  let last = performance.now()
  let turn: Promise<void> | undefined
  return () => {
    // One for all who ask: as long as anybody goes on, the loop does not turn.
    if (!turn && performance.now() - last >= longest)
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
