import { randomUUID } from 'node:crypto'
import * as nodeFiles from 'node:fs'
import { join } from 'node:path'
import { syncPath, writeAtomic } from '../base/write-atomic.ts'
import { runFiles } from '../loop/journal/run-files.ts'
import { runTool } from '../sandbox/machine/run-tool.ts'
import { UserError } from '../text/errors.ts'
import { fileFault } from '../text/file-fault.ts'

/** The calls whose promises the lock and the ledger of a run folder need. */
type Files = Pick<
  typeof nodeFiles,
  'linkSync' | 'renameSync' | 'readFileSync' | 'writeFileSync' | 'openSync' | 'fsyncSync' | 'closeSync'
>

/** What another process does with a lock that this one holds: it reads it, tries to take it in both ways, and replaces it. */
const other = `
  const { linkSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
  const lock = process.argv[1]
  const refusal = (take) => { try { take(); return 'taken' } catch (error) { return error.code } }
  const seen = readFileSync(lock, 'utf8')
  writeFileSync(lock + '.other', 'other')
  const tries = [refusal(() => linkSync(lock + '.other', lock)), refusal(() => writeFileSync(lock, '', { flag: 'wx' }))]
  renameSync(lock + '.other', lock)
  console.log(JSON.stringify([seen, ...tries]))`

/**
 * Tests a folder that several machines share for what the locks and ledgers of its runs need: exclusive creation, renaming over a file,
 * syncing, and that another process sees a lock at once. Throws `UserError` for the first that does not hold, and leaves nothing behind.
 */
export async function testShare(folder: string, files: Files = nodeFiles): Promise<void> {
  if (!nodeFiles.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw problem(folder, 'is not a folder', 'Name a folder that the coordinator and all workers see.')
  const probe = join(folder, `.share-test-${randomUUID()}`)
  const holds = (what: string, test: () => boolean) => {
    try {
      if (test()) return
    } catch (error) {
      throw unfit(folder, `${what}: ${fileFault(error)}`)
    }
    throw unfit(folder, what)
  }
  try {
    holds('cannot be written', () => nodeFiles.mkdirSync(probe) === undefined)
    const [lock, draft] = [join(probe, 'lock'), join(probe, 'draft')]
    files.writeFileSync(draft, 'mine')
    holds('has no hard links, which locks are made of', () => {
      files.linkSync(draft, lock)
      return files.readFileSync(lock, 'utf8') === 'mine'
    })
    holds('lets a lock be taken that is held', () => isRefused(() => files.linkSync(draft, lock)))
    holds('creates a file anew that is there', () =>
      isRefused(() => files.writeFileSync(lock, '', { flag: 'wx' })),
    )
    holds('does not rename a file over another', () => {
      // A file of its own: to rename one of two links of a file over the other does nothing.
      files.writeFileSync(`${draft}.next`, 'renewed')
      files.renameSync(`${draft}.next`, lock)
      return files.readFileSync(lock, 'utf8') === 'renewed'
    })
    holds('does not sync files to disk', () => {
      const file = files.openSync(lock, 'r+')
      files.fsyncSync(file)
      files.closeSync(file)
      return true
    })
    holds('does not sync the names in a folder to disk', () => syncPath(probe) === undefined)
    const { stdout, failed, stderr, shortMessage } = await runTool(process.execPath, ['-e', other, lock])
    holds(
      `does not show a lock to another process${failed ? ` (${(stderr || shortMessage).trim()})` : ''}`,
      () => stdout.trim() === JSON.stringify(['renewed', 'EEXIST', 'EEXIST']),
    )
    holds(
      'does not show what another process has renamed',
      () => files.readFileSync(lock, 'utf8') === 'other',
    )
  } finally {
    nodeFiles.rmSync(probe, { recursive: true, force: true })
  }
}

/** Marks a run's folder, so that workers know it again, and returns the mark. A run that goes on keeps its own. */
export function markShare(run: string): string {
  const known = readMark(run)
  if (known !== undefined) return known
  const mark = randomUUID()
  writeAtomic(join(run, runFiles.share), mark, { durable: true })
  return mark
}

/** Whether a folder is that of a run whose coordinator gave it this mark. */
export const hasMark = (run: string, mark: string): boolean => readMark(run) === mark

/** Throws `UserError` unless a worker's `--share` holds the run's folder with the mark that its coordinator gave it. */
export function assertShared(share: string, run: string, mark: string): void {
  const found = readMark(join(share, run))
  if (found === mark) return
  const what =
    found === undefined ? `has no folder ${run} that this user can read` : `has another folder ${run}`
  throw problem(
    share,
    `${what}, so it is not the folder of the coordinator`,
    found === undefined
      ? `Mount and name the folder that holds ${run}. Another team's run is done by its own workers, and needs no remedy. If ${run} was removed, bench runs prune --older-than AGE --queue postgres://USER@HOST/DATABASE takes it out of the queue, with every other run of that age on which nobody works: look with --dry-run first`
      : 'Mount and name the same folder.',
  )
}

function readMark(run: string): string | undefined {
  try {
    return nodeFiles.readFileSync(join(run, runFiles.share), 'utf8')
  } catch {
    return undefined
  }
}

function isRefused(take: () => void): boolean {
  try {
    take()
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true
    throw error
  }
}

const problem = (folder: string, what: string, fix: string) =>
  new UserError({ where: `--share ${folder}`, what, fix })

const unfit = (folder: string, what: string) =>
  problem(
    folder,
    what,
    'Name a folder of another file system, or see docs/reference/queue.md for what it must promise.',
  )
