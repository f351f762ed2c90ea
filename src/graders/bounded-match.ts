import { createContext, Script } from 'node:vm'

/** Longest time that one expression may look at one text; ms. Those of tasks take microseconds. */
const longestMs = 2000

const program = new Script(
  '{ let last; for (const match of text.matchAll(new RegExp(source, flags))) last = [...match]; last }',
)

/**
 * The last match of a task's expression in what a model wrote, with its groups: null where there is none, `too-long` where
 * it did not come to an end in two seconds. An expression that goes back and forth for ever would otherwise hold the whole
 * harness, which nothing but a signal of its own thread could end.
 */
export function boundedMatch(
  text: string,
  source: string,
  flags: string,
): readonly (string | undefined)[] | null | 'too-long' {
  const context = createContext({ text, source, flags: `${flags.replace(/[gy]/g, '')}g` })
  try {
    return (program.runInContext(context, { timeout: longestMs }) as string[] | undefined) ?? null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too-long'
    throw error
  }
}
