import { endLeftovers } from './end-leftovers.ts'

// Node's exit code for an await that never resolves. Another listener may still resolve it.
const stalledCode = 13

/**
 * Reports an internal error if Node has nothing left to do before the returned function is called. Once it is called, ends
 * whatever a command left running.
 */
export function watchCompletion(): () => void {
  let isCompleted = false
  process.on('beforeExit', () => {
    if (!isCompleted) process.exitCode = stalledCode
  })
  process.on('exit', (code) => {
    if (code !== stalledCode || isCompleted) return
    process.stderr.write('Internal error: bench stalled (nothing left to wait for). Please report this.\n')
    process.exitCode = 1
  })
  return () => {
    isCompleted = true
    // Most processes end long before that.
    setTimeout(endLeftovers, 3000).unref()
  }
}
