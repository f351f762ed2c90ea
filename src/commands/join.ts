import { join } from 'node:path'
import { joinShards } from '../loop/join/join-shards.ts'
import { withStorageErrors } from '../loop/journal/storage.ts'
import { counted } from '../reports/words/numbers.ts'
import { shellWord } from '../text/shell-word.ts'
import { findRunFolder } from './open/named-runs.ts'
import { verifyOrigin, writeOrigin } from './open/run-origin.ts'
import { takesPowers } from './open/trust-code.ts'
import { say } from './terminal/say.ts'

/** `bench runs join SHARD… --out RUN`: puts the shards of a run together, and says which shards and trials are missing. */
export default async function joinRuns(shards: string[], { out }: { out: string }): Promise<number> {
  const folders = shards.map(findRunFolder)
  const { manifest, recorded, missing } = joinShards(folders, out)
  // Who began every shard began the run.
  if (takesPowers(manifest) && folders.every(verifyOrigin))
    withStorageErrors(join(out, 'origin'), () => writeOrigin(out))
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
