import { dirname, resolve } from 'node:path'
import { readUrl } from '../../queue/database-url.ts'
import { flagOf } from '../../schema/settings/settings.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { mergeOptions } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'

const takesEach =
  'workers take one block after another and do not see the results of others; use --max-cost, or look with bench report and stop the run with Ctrl-C'

const onceOver = [
  'workers hold its plan and its blocks',
  'Use it when the run is over, without --queue.',
] as const

/** Options of a run that workers cannot do, each with the reason and the remedy. */
const unfitOptions = {
  stopWhen: [`a stop rule ends a run when its results are settled, but ${takesEach}`, 'Remove it.'],
  shard: ['a run is done by shards or by workers', 'Use one of them.'],
  instruction: ['a free request has no tasks to give out', 'Remove one of them.'],
  extend: onceOver,
  acceptChanges: onceOver,
  retryErrors: onceOver,
  repair: onceOver,
} as const

/** Checks the options of a run that workers do, with those of its config file. Throws `UserError` with every problem. */
export function requireQueueOptions(asked: RunOptions): void {
  const problems: Problem[] = []
  checkQueueOptions(problems, mergeOptions(asked).options)
  if (problems.length > 0) throw new UserError(problems)
}

function checkQueueOptions(problems: Problem[], options: RunOptions): void {
  const { queue, share, resume, out } = options
  if (queue === undefined)
    return void problems.push({
      where: '--share',
      what: 'requires --queue',
      fix: 'Add --queue postgres://USER@HOST/DATABASE.',
    })
  problems.push(...urlProblems(queue))
  for (const name of Object.keys(unfitOptions) as (keyof typeof unfitOptions)[]) {
    const [why, fix] = unfitOptions[name]
    const given = options[name] ?? false
    if (given !== false) problems.push({ where: flagOf(name), what: `conflicts with --queue: ${why}`, fix })
  }
  if (options.approve === 'ask')
    problems.push({
      where: '--approve ask',
      what: 'conflicts with --queue: workers have no person to ask',
      fix: 'Use --approve park, and answer with bench approve.',
    })
  if (share === undefined && resume === undefined)
    problems.push({
      where: '--queue',
      what: 'requires --share',
      fix: 'Add --share DIR, a folder that this machine and all workers see.',
    })
  if (share === undefined) return
  const inside = out ?? resume
  if (inside !== undefined && dirname(resolve(inside)) !== resolve(share))
    problems.push({
      where: out === undefined ? '--resume' : '--out',
      what: `is not in the folder of --share, ${share}, where workers look for it`,
      fix:
        out === undefined
          ? 'Name the folder that holds the run, or leave --share out.'
          : 'Name a folder in it, or leave --out out.',
    })
}

/** Returns the problems of a URL that a person typed. */
export function urlProblems(url: string): Problem[] {
  try {
    if (!readUrl(url).hasPassword) return []
    const what =
      'holds a password, which other users of this machine can see, and the history of your shell keeps'
    return [{ where: '--queue', what, fix: 'Leave it out, and set PGPASSWORD.' }]
  } catch (error) {
    if (error instanceof UserError) return [...error.problems]
    throw error
  }
}
