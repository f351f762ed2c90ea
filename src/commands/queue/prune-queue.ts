import { openBlockQueue } from '../../queue/block-queue.ts'
import { type Database, openDatabase } from '../../queue/database.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { UserError } from '../../text/errors.ts'
import { urlProblems } from '../config/queue-option.ts'
import { type AnnouncedRun, announcedRuns, removeRun, shortestLeaseMs } from './run-queues.ts'

/**
 * `bench runs prune --queue URL --older-than AGE`: removes what a database holds of runs that began longer ago, or went on last, and of whose
 * blocks nobody has one. The folders stay, and `bench run --resume RUN --queue URL` puts the blocks again.
 */
export async function pruneQueue(
  url: string,
  ageMs: number,
  { dryRun = false, yes = false }: { dryRun?: boolean; yes?: boolean },
  isWanted: (runs: number) => Promise<boolean>,
): Promise<number> {
  const problems = urlProblems(url)
  if (problems.length > 0) throw new UserError(problems)
  const database = await openDatabase(url)
  try {
    const old = (await announcedRuns(database)).filter(({ putAt }) => putAt.getTime() < Date.now() - ageMs)
    const idle: AnnouncedRun[] = []
    for (const run of old) {
      const taken = await countTaken(database, run)
      if (taken === 0) idle.push(run)
      const why = taken === 0 ? '' : `  workers have ${counted(taken, 'block')} of it`
      const line = `${taken === 0 ? 'remove' : 'keep  '}  ${run.folder}  put on ${run.putAt.toISOString().slice(0, 10)}${why}`
      process.stdout.write(`${safeLine(line)}\n`)
    }
    if (old.length === 0) process.stdout.write('no run in the queue is older\n')
    if (dryRun || idle.length === 0 || !(yes || (await isWanted(idle.length)))) return 0
    for (const { run, queues } of idle) await removeRun(database, run, queues)
    process.stdout.write(`removed ${counted(idle.length, 'run')} from the queue\n`)
    return 0
  } finally {
    await database.close()
  }
}

async function countTaken(database: Database, { queues }: AnnouncedRun): Promise<number> {
  let count = 0
  for (const name of queues) {
    const queue = await openBlockQueue(database, name, shortestLeaseMs)
    count += (await queue.left()).taken.length
    await queue.close()
  }
  return count
}
