import { endLeftovers } from './end-leftovers.ts'

// Node's own number for a program that waits for what never comes. It may yet be answered: somebody may end the wait.
const stalledCode = 13

/**
 * Says that bench broke where Node finds nothing left to do before the function that is returned was called; afterwards, ends
 * what a command has left running.
 */
export function watchCompletion(): () => void {
  let isCompleted = false
  process.on('beforeExit', () => {
    if (!isCompleted) process.exitCode = stalledCode
  })
  process.on('exit', (code) => {
    if (code !== stalledCode || isCompleted) return
    process.stderr.write('bench broke: it waits for something that never comes. This is a fault of bench.\n')
    process.exitCode = 1
  })
  return () => {
    isCompleted = true
    // Most processes are over long before.
    setTimeout(endLeftovers, 3000).unref()
  }
}
