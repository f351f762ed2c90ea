import { groupBy } from '../base/grouping.ts'
import { ledgersOf } from '../loop/join/blocks.ts'
import { unjoinedNote } from '../loop/join/unjoined.ts'
import { findRuns } from '../loop/record/find-runs.ts'
import { resumeCommand } from '../loop/record/in-blocks.ts'
import { isInUse } from '../loop/record/lock.ts'
import { readRecords } from '../loop/record/records.ts'
import { readManifest } from '../loop/record/run-folder.ts'
import { isOver, leftState, readSessions } from '../loop/record/sessions.ts'
import { counted } from '../reports/words/numbers.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { UserError } from '../text/errors.ts'
import { joinCommand } from './open/require-joined.ts'
import { print } from './terminal/say.ts'

/** `bench runs [folder]`: lists the run folders in a folder, by name, and how far each is. Throws `UserError` if the folder is itself a run. */
export default async function runs(folder: string, options: { json?: boolean }): Promise<number> {
  const found = findRuns(folder).map((path): Listed => {
    try {
      const manifest = readManifest(path)
      const { createdAt, mode, methods, tasks, trials, shard, imported } = manifest
      const unjoined = unjoinedNote(path)
      return {
        run: path,
        ...(shard && { shard }),
        ...(imported && { imported: imported.format }),
        createdAt,
        mode,
        methods: methods.map(({ label }) => label),
        tasks: tasks.length,
        trials,
        ...runState(path, manifest),
        ...(unjoined !== undefined && { unjoined }),
      }
    } catch (error) {
      // One unreadable run does not hide the others.
      if (!(error instanceof UserError)) throw error
      return { run: path, problem: error.message }
    }
  })
  if (options.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  else if (found.length === 0) process.stdout.write(`no runs in ${folder}\n`)
  else
    for (const own of groupBy(found, wholeOf).values()) {
      const isSplit = own.some((run) => 'shard' in run)
      if (isSplit) print(`${shardsText(own)}\n`)
      for (const run of own) print(`${isSplit ? '  ' : ''}${lineOf(run)}\n`)
    }
  return 0
}

type Listed = { run: string } & (
  | { problem: string }
  | (Pick<RunManifest, 'createdAt' | 'mode' | 'trials' | 'shard'> &
      RunState & {
        methods: string[]
        tasks: number
        imported?: string
        /** What stands in blocks of workers, whose lines the run does not have yet. */
        unjoined?: string
      })
)

/** Shards are listed under their run, if they split it alike; any other folder is a run of its own. */
const wholeOf = (listed: Listed) =>
  'shard' in listed && listed.shard ? `${listed.shard.run} ${listed.shard.of}` : listed.run

function lineOf(listed: Listed): string {
  if ('problem' in listed) return `${listed.run}  ${listed.problem}`
  const { run, mode, recorded, trials, methods, tasks, shard, imported } = listed
  const what = shard ? `shard ${shard.index} of ${shard.of}` : imported ? 'imported' : mode
  const unjoined = listed.unjoined === undefined ? '' : `  ${listed.unjoined}`
  const goOn = listed.state === joinedInPart ? `  ${resumeCommand(run)}` : unjoined
  return `${run}  ${what}  ${recorded}/${trials} trials  ${stateText(listed)}  ${methods.join(',')} on ${counted(tasks, 'task')}${goOn}`
}

/** Names the run that shards belong to, with the command that joins them: of a shard that is there twice the folder with more records. */
function shardsText(own: readonly Listed[]): string {
  const shards = own.flatMap((run) => ('shard' in run && run.shard ? [{ ...run, shard: run.shard }] : []))
  const [
    {
      shard: { run, of },
    } = { shard: { run: '', of: 0 } },
  ] = shards
  const byIndex = [...groupBy(shards, ({ shard }) => shard.index).values()]
  const best = byIndex.flatMap((same) => same.sort((a, b) => b.recorded - a.recorded)[0] ?? [])
  const next = best.some(({ state }) => state === 'running')
    ? 'to be joined when none is running'
    : joinCommand(best.map(({ run }) => run))
  return `run ${run}  ${best.length} of ${counted(of, 'shard')}  ${next}`
}

const joinedInPart = 'joined, unfinished'

/** How far a run is: its trials with a record, those in blocks of workers among them, those of them that ended in error, and its state in words. */
export interface RunState {
  recorded: number
  errors: number
  state: 'whole' | 'running' | ReturnType<typeof leftState> | typeof joinedInPart
}

/** Reads how far a run is. Throws `UserError` if its files are damaged. */
export function runState(folder: string, manifest: Stated): RunState {
  let [recorded, errors] = [0, 0]
  let own = 0
  for (const ledger of ledgersOf(folder)) {
    for (const { outcome } of readRecords(ledger)) {
      recorded++
      if (outcome.status === 'error') errors++
    }
    if (ledger === folder) own = recorded
  }
  return { recorded, errors, state: stateAfter(folder, manifest, own) }
}

type Stated = Pick<RunManifest, 'trials' | 'comparison' | 'joined'>

/** Returns the state of a run with so many records. Throws `UserError` if its sessions are damaged. */
export function stateAfter(folder: string, manifest: Stated, recorded: number): RunState['state'] {
  const [, ...blocks] = ledgersOf(folder)
  if (isInUse(folder) || blocks.some(isInUse)) return 'running'
  const last = readSessions(folder).at(-1)
  if (isOver(manifest, last, recorded)) return 'whole'
  // Its last session was one of a shard, which says nothing of the run.
  const isOfShard = manifest.joined && (!last || last.shard)
  if (isOfShard) return joinedInPart
  // The run has the sessions of blocks that are whole, which say nothing of why the others are not.
  const stopped = blocks.map((block) => leftState(readSessions(block).at(-1)))
  return stopped.find((state) => state !== 'interrupted') ?? leftState(last)
}

/** Says how far a run is: `stopped by a limit, with 2 errors`. */
export const stateText = ({ state, errors }: Pick<RunState, 'state' | 'errors'>): string =>
  errors === 0 ? state : `${state}, with ${counted(errors, 'error')}`
