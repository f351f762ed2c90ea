import { clearLine, cursorTo } from 'node:readline'

/** Lines in a log come at most this often; ms. */
const logMs = 10_000

/** Shows how many tasks are proved: as a line that is replaced on a terminal, else as a line now and then. */
export function proofProgress(output: NodeJS.WriteStream) {
  const live = output.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
  let last = Date.now()
  const clear = () => {
    if (!live) return
    clearLine(output, 0)
    cursorTo(output, 0)
  }
  return {
    show(round: number, done: number, of: number): void {
      const text = `round ${round}: ${done} of ${of} ${of === 1 ? 'task' : 'tasks'} graded`
      clear()
      if (live) output.write(text)
      else if (Date.now() - last >= logMs) {
        last = Date.now()
        output.write(`${text}\n`)
      }
    },
    end: clear,
  }
}
