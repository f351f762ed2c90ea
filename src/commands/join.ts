import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { joinShards } from '../loop/join/join-shards.ts'
import { withStorageErrors } from '../loop/journal/storage.ts'
import { counted } from '../reports/words/numbers.ts'
import { shellWord } from '../text/shell-word.ts'
import { findRunFolder } from './open/named-runs.ts'
import { say } from './terminal/say.ts'

/** `bench runs join SHARD… --out RUN`: puts the shards of a run together, and says which shards and trials are missing. */
export default async function joinRuns(shards: string[], { out }: { out: string }): Promise<number> {
  const folders = shards.map(findRunFolder)
  const { manifest, recorded, missing } = joinShards(folders, out)
  await keepOrigin(folders, out)
  const { joined, trials } = manifest
  say(
    `joined ${joined?.shards.length} of ${counted(joined?.of ?? 0, 'shard')}: ${recorded} of ${counted(trials, 'trial')} have a record`,
  )
  const run = shellWord(out)
  if (missing.length > 0) say(`missing: ${missing.length === 1 ? 'shard' : 'shards'} ${missing.join(', ')}`)
  say(
    recorded < trials
      ? `bench run --resume ${run} runs the ${counted(trials - recorded, 'trial')} without a record, those of missing shards included`
      : `the run is whole: bench report ${run}`,
  )
  return 0
}

/** Marks the joined run as this user's own if all shards are. Only runs that name code have such a mark. */
async function keepOrigin(folders: readonly string[], out: string): Promise<void> {
  if (!folders.every((folder) => existsSync(join(folder, 'origin')))) return
  const { verifyOrigin, writeOrigin } = await import('./open/run-origin.ts')
  if (folders.every(verifyOrigin)) withStorageErrors(join(out, 'origin'), () => writeOrigin(out))
}
