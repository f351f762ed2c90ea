import { groupBy } from '../../base/grouping.ts'
import { unjoinedNote } from '../../loop/join/unjoined.ts'
import { isInBlocks, resumeCommand } from '../../loop/record/in-blocks.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { reportNote } from '../terminal/report-error.ts'
import { findRunFolder } from './named-runs.ts'
import type { RunOfFolder } from './open-run.ts'

/** Returns the command that joins shards. */
export const joinCommand = (folders: readonly string[]): string =>
  `bench runs join ${folders.map(shellWord).join(' ')} --out RUN`

/** Says of a shard that it is one. Throws `UserError` if several folders are shards of one run, whose results are those of the whole. */
export function requireJoined(command: string, opened: readonly RunOfFolder[]): void {
  const runs = [...new Map(opened.map((one) => [one.folder, one])).values()]
  const shards = groupBy(
    runs.filter(({ manifest }) => manifest.shard),
    ({ manifest }) => manifest.shard?.run ?? '',
  )
  for (const own of shards.values()) {
    const folders = own.map(({ folder }) => folder)
    const isSplitAlike = new Set(own.map(({ manifest }) => manifest.shard?.of)).size === 1
    if (own.length > 1)
      throw new UserError({
        where: command,
        what: `${folders.join(', ')} are shards of one run`,
        fix: isSplitAlike
          ? `Join them: ${joinCommand(folders)}`
          : 'They split it into different numbers of shards: join those of one N, and name that run.',
      })
    const [{ manifest, folder } = { manifest: undefined, folder: '' }] = own
    const { index, of } = manifest?.shard ?? {}
    reportNote(`${folder} is shard ${index} of ${of} of a run; bench runs join puts all of them together`)
  }
}

/** Prints what stands in blocks of workers and not yet in a run. Throws `UserError` if a block is damaged. */
export const noteUnjoined = (folder: string): void => reportNote(unjoinedNote(folder))

/** Throws `UserError` if workers do a run, which is named as for `findRunFolder`: what they have done stands in its blocks. */
export function requireNoBlocks(run: string): void {
  const folder = findRunFolder(run)
  if (!isInBlocks(folder)) return
  throw new UserError({
    where: folder,
    what: 'is done by workers, and is not over',
    fix: `Add --queue with the database of the run: ${resumeCommand(folder)}`,
  })
}
