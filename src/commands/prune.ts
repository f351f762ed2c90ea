import { findRuns } from '../loop/record/find-runs.ts'
import { lockRunFolder } from '../loop/record/lock.ts'
import { counted } from '../reports/words/numbers.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { removeTree } from '../sandbox/folders/remove-tree.ts'
import { UserError } from '../text/errors.ts'
import { type JudgedRun, judgeRun, type PruneRule } from './prune/judge-run.ts'
import { confirm } from './terminal/say.ts'

interface PruneOptions {
  olderThan?: string
  dryRun?: boolean
  yes?: boolean
  includeUnfinished?: boolean
  queue?: string
}

/**
 * `bench runs prune [folder] --older-than AGE`: removes the runs in a folder whose last write is older. Keeps published, running
 * and unfinished ones. Asks at the terminal; without one it needs `--yes`. Exit code 1 if a run could not be removed. With `--queue` it removes
 * what a database holds of runs, and no folder.
 */
export default async function prune(folder: string, options: PruneOptions): Promise<number> {
  const age = parseAge('--older-than', options.olderThan)
  if (options.dryRun && options.yes)
    throw new UserError({ where: '--dry-run', what: 'conflicts with --yes', fix: 'Use one of the two.' })
  if (options.queue !== undefined) {
    const { pruneQueue } = await import('./queue/run-queues.ts')
    return pruneQueue(options.queue, age, options, isWanted)
  }
  const now = Date.now()
  const rule = { before: now - age, includeUnfinished: options.includeUnfinished === true }
  const judged: JudgedRun[] = []
  for (const run of findRuns(folder)) judged.push(await judgeRun(run, rule))
  const old = judged.filter(({ kept }) => kept === undefined)
  process.stdout.write(listText(judged, now, options.olderThan ?? ''))
  if (options.dryRun || old.length === 0) return 0
  if (!options.yes && !(await isWanted(old.length))) return 0

  const pruned = await removeRuns(old, rule)
  const left = pruned.filter(({ kept }) => kept !== undefined)
  for (const { folder, kept } of left) process.stderr.write(`${safeLine(`kept ${folder}: ${kept}`)}\n`)
  process.stdout.write(`removed ${counted(pruned.length - left.length, 'run')}\n`)
  return left.length > 0 ? 1 : 0
}

async function isWanted(count: number): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError({
      where: 'bench runs prune',
      what: `would remove ${counted(count, 'run')}, and there is no terminal to ask at`,
      fix: 'Add --yes to remove them, or --dry-run only to list them.',
    })
  return confirm(`Remove ${counted(count, 'run')}?`, new AbortController().signal)
}

const day = 86_400_000

/** Lists the runs that may be removed, and those that are old enough but kept, with the reason. */
function listText(judged: readonly JudgedRun[], now: number, age: string): string {
  const line = ({ folder, lastWrite, kept }: JudgedRun) =>
    safeLine(
      `${kept === undefined ? 'remove' : 'keep  '}  ${folder}  last written ${new Date(lastWrite).toISOString().slice(0, 10)}, ${counted(Math.floor((now - lastWrite) / day), 'day')} ago${kept === undefined ? '' : `  ${kept}`}`,
    )
  const old = judged.filter(({ kept }) => kept !== 'newer')
  const newer = judged.length - old.length
  return [
    ...old.map(line),
    ...(old.length === 0 ? [`no run is older than ${age}`] : []),
    ...(newer > 0 ? [`keep    ${counted(newer, 'newer run')}`] : []),
    '',
  ].join('\n')
}

const hour = 3_600_000
const units = { h: hour, d: 24 * hour, w: 7 * 24 * hour } as const

/** Reads an age such as `30d`, `12h` or `2w`; ms. Throws `UserError`. */
function parseAge(flag: string, text: string | undefined): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text ?? '') ?? []
  const ms = Number(count) * (units[unit as keyof typeof units] ?? 0)
  if (ms > 0) return ms
  throw new UserError({
    where: text === undefined ? flag : `${flag} ${text}`,
    what: text === undefined ? 'is missing' : 'is not an age of one hour or more',
    fix: `Write hours, days or weeks, such as ${flag} 30d, 12h or 2w.`,
  })
}

interface PrunedRun {
  folder: string
  /** Why it is still there; undefined: it is removed. */
  kept: string | undefined
}

/**
 * Removes runs, each under its lock, so that nobody resumes it meanwhile, and only if it may still be removed. Never follows a
 * link.
 */
async function removeRuns(runs: readonly JudgedRun[], rule: PruneRule): Promise<PrunedRun[]> {
  const pruned: PrunedRun[] = []
  for (const { folder } of runs) pruned.push({ folder, kept: await removeRun(folder, rule) })
  return pruned
}

async function removeRun(folder: string, rule: PruneRule): Promise<string | undefined> {
  try {
    const lock = lockRunFolder(folder)
    try {
      const { kept } = await judgeRun(folder, rule)
      if (kept !== undefined) return kept
      lock.assertHeld()
      return removeTree(folder) ? undefined : 'could not be removed whole; see its permissions'
    } finally {
      lock.release()
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.map(({ what }) => what).join('; ')
  }
}
