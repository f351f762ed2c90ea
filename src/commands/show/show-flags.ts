import { type Problem, UserError } from '../../text/errors.ts'

/** The flags of `bench show`. */
export interface ShowFlags {
  transitions?: boolean
  breaks?: boolean
  tokens?: boolean
  json?: boolean
  full?: boolean
  failed?: boolean
  task?: string
  method?: string
  methods?: string
  /** False: `--no-answers` was given. */
  answers?: boolean
}

/** What `bench show` prints. */
type ShownView = 'overview' | 'trial' | 'tables' | 'pair'

const tables = ['transitions', 'breaks', 'tokens'] as const
const filters = ['failed', 'task', 'method'] as const

/** Returns what the flags ask for. Throws `UserError` for flags that do not go together. */
export function viewOf(trial: string | undefined, flags: ShowFlags): ShownView {
  const problems: Problem[] = []
  const [table] = tables.filter((name) => flags[name])
  const [filter] = filters.filter((name) => flags[name] !== undefined)
  const conflict = (one: string, other: string) =>
    problems.push({ where: one, what: `conflicts with ${other}`, fix: 'Use one of the two.' })
  if (flags.methods !== undefined) {
    if (flags.task === undefined)
      problems.push({
        where: '--methods',
        what: 'requires --task',
        fix: 'Name the task under which the two methods are compared: --task TASK --methods A,B.',
      })
    if (table) conflict('--methods', `--${table}`)
    if (flags.failed) conflict('--methods', '--failed')
    if (flags.method !== undefined) conflict('--methods', '--method')
    if (trial !== undefined) conflict('--methods', `a trial, ${trial}`)
  } else if (filter) {
    if (table) conflict(`--${filter}`, `--${table}`)
    if (trial !== undefined)
      problems.push({
        where: `--${filter}`,
        what: `conflicts with a trial, ${trial}`,
        fix: 'It filters the list of trials: leave out one of the two.',
      })
  }
  if (flags.full && table) conflict('--full', `--${table}`)
  if (problems.length > 0) throw new UserError(problems)
  if (table) return 'tables'
  if (flags.methods !== undefined) return 'pair'
  return trial === undefined ? 'overview' : 'trial'
}
