import { type Problem, UserError } from '../../text/errors.ts'

/** What `bench show` prints of workflows of states. */
export interface WorkflowFlags {
  transitions?: boolean
  breaks?: boolean
  tokens?: boolean
  json?: boolean
}

/** Whether one of the flags that print tables is set. Throws `UserError` for flags that do not go together. */
export function wantsWorkflow(flags: WorkflowFlags & { full?: boolean }): boolean {
  const wanted = (['transitions', 'breaks', 'tokens'] as const).filter((name) => flags[name])
  const problems: Problem[] = []
  const names = '--transitions, --breaks or --tokens'
  if (flags.json && wanted.length === 0)
    problems.push({ where: '--json', what: `requires ${names}`, fix: 'Add one, or leave out --json.' })
  if (flags.full && wanted.length > 0)
    problems.push({ where: '--full', what: `conflicts with --${wanted[0]}`, fix: 'Use one of the two.' })
  if (problems.length > 0) throw new UserError(problems)
  return wanted.length > 0
}
