import { createContext, Script } from 'node:vm'

/** Timeout of one match; ms. The expressions of tasks take microseconds. */
const timeoutMs = 2000

const program = new Script(
  '{ let last; for (const match of text.matchAll(new RegExp(source, flags))) last = [...match]; last }',
)

/**
 * Returns the last match of a task's expression in a reply, with its groups; null if there is none, `too-long` after two seconds.
 * Without the timeout, catastrophic backtracking would block the whole harness.
 */
export function boundedMatch(
  text: string,
  source: string,
  flags: string,
): readonly (string | undefined)[] | null | 'too-long' {
  const context = createContext({ text, source, flags: `${flags.replace(/[gy]/g, '')}g` })
  try {
    return (program.runInContext(context, { timeout: timeoutMs }) as string[] | undefined) ?? null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too-long'
    throw error
  }
}
