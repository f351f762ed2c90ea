import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { joinShards } from '../loop/join/join-shards.ts'
import { withStorageErrors } from '../loop/journal/storage.ts'
import { resumeCommand } from '../loop/record/in-blocks.ts'
import { counted } from '../reports/words/numbers.ts'
import { UserError } from '../text/errors.ts'
import { shellWord } from '../text/shell-word.ts'
import { findRunFolder } from './open/named-runs.ts'
import { say } from './terminal/say.ts'

/** `bench runs join SHARD… --out RUN`: puts the shards of a run together, and says which shards and trials are missing. */
export default async function joinRuns(shards: string[], { out }: { out?: string }): Promise<number> {
  if (out === undefined)
    throw new UserError({
      where: '--out',
      what: 'is missing',
      fix: 'Write --out RUN, a new folder for the run.',
    })
  const folders = shards.map(findRunFolder)
  const { manifest, recorded, missing } = await joinShards(folders, out)
  await keepOrigin(folders, out)
  const { joined, trials } = manifest
  say(
    `joined ${joined?.shards.length} of ${counted(joined?.of ?? 0, 'shard')}: ${recorded} of ${counted(trials, 'trial')} have a record`,
  )
  const run = shellWord(out)
  if (missing.length > 0) say(missingText(missing))
  say(
    recorded < trials
      ? `${resumeCommand(run)} runs the ${counted(trials - recorded, 'trial')} without a record, those of missing shards included`
      : `the run is whole: bench report ${run}`,
  )
  return 0
}

const mostListed = 20

/** Names the shards that are missing: `missing: shards 2, 5-8`. */
function missingText(gaps: readonly [number, number][]): string {
  const shown = gaps.slice(0, mostListed).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
  const rest = gaps.slice(mostListed).reduce((sum, [from, to]) => sum + to - from + 1, 0)
  const isOne = gaps.length === 1 && gaps[0]?.[0] === gaps[0]?.[1]
  return `missing: ${isOne ? 'shard' : 'shards'} ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}

/** Marks the joined run as this user's own if all shards are. Only runs that name code have such a mark. */
async function keepOrigin(folders: readonly string[], out: string): Promise<void> {
  if (!folders.every((folder) => existsSync(join(folder, 'origin')))) return
  const { verifyOrigin, writeOrigin } = await import('./open/run-origin.ts')
  if (folders.every(verifyOrigin)) withStorageErrors(join(out, 'origin'), () => writeOrigin(out))
}
