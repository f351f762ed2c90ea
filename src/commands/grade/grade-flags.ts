import type { Problem } from '../../text/errors.ts'

/** The options of `bench grade`. */
export interface GradeOptions {
  grader?: string
  answer?: string
  /** One list with commas, or one option each. */
  options: readonly string[]
  tolerance?: string
  extract: readonly string[]
  require: readonly string[]
  forbid: readonly string[]
  language?: string
  entryPoint?: string
  schema?: string
  file?: string
  json?: boolean
}

/** The flags of what a reply is read for. */
interface Flags {
  needs: readonly (keyof GradeOptions)[]
  /** Flags that may be left out. */
  takes: readonly (keyof GradeOptions)[]
}

/** The graders whose reading can be shown, with their flags. */
export const graderFlags = {
  numeric: { needs: ['answer'], takes: ['tolerance', 'extract'] },
  choice: { needs: ['answer', 'options'], takes: ['extract'] },
  exact: { needs: ['answer'], takes: ['extract'] },
  pattern: { needs: ['require'], takes: ['forbid'] },
  tests: { needs: [], takes: ['language', 'entryPoint'] },
} as const satisfies Record<string, Flags>

const flagNames = {
  answer: '--answer',
  options: '--options',
  tolerance: '--tolerance',
  extract: '--extract',
  require: '--require',
  forbid: '--forbid',
  language: '--language',
  entryPoint: '--entry-point',
} satisfies Partial<Record<keyof GradeOptions, string>>

/** Returns a problem for each flag that `--schema`, or the grader, does not read. */
export function unfitFlags(options: GradeOptions): Problem[] {
  const { schema, grader = '' } = options
  if (schema !== undefined) return unfitFor('--schema', [], options)
  if (!Object.hasOwn(graderFlags, grader)) return []
  const { needs, takes } = graderFlags[grader as keyof typeof graderFlags]
  return unfitFor(`--grader ${grader}`, [...needs, ...takes], options)
}

function unfitFor(place: string, read: readonly (keyof GradeOptions)[], options: GradeOptions): Problem[] {
  const names = Object.entries(flagNames)
  const fitting = names.flatMap(([name, flag]) => (read.some((one) => one === name) ? [flag] : []))
  const fix = fitting.length > 0 ? `Leave it out: ${place} reads ${fitting.join(', ')}.` : 'Leave it out.'
  return names
    .filter(([name, flag]) => isGiven(options[name as keyof GradeOptions]) && !fitting.includes(flag))
    .map(([, flag]) => ({ where: flag, what: `does not fit ${place}`, fix }))
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
