import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { cacheFolder, writeCacheFile } from '../base/cache-folder.ts'
import { packageVersion } from '../base/package-root.ts'
import { unjoinedNote } from '../loop/join/unjoined.ts'
import { findRuns } from '../loop/record/find-runs.ts'
import { isInBlocks } from '../loop/record/in-blocks.ts'
import { sha256 } from '../text/canonical-json.ts'
import { UserError } from '../text/errors.ts'
import { PlanTask, RunFacts, readFacts, signatureOf } from './run-facts.ts'

/** The runs of a folder whose records count together, and the others. */
export interface FoundHistory {
  folder: string
  /** By time. */
  runs: RunFacts[]
  leftOut: { run: string; why: string }[]
  /** What stands in blocks of workers, a line for each run. */
  unjoined: string[]
  /** The tasks of each plan, by its digest. */
  plans: Record<string, PlanTask[]>
}

/** What was found in a run folder whose files had this signature. */
const Look = z.object({ signature: z.string(), facts: RunFacts.optional(), why: z.string().optional() })
type Look = z.infer<typeof Look>

const Looks = z.object({
  version: z.string(),
  runs: z.record(z.string(), Look),
  plans: z.record(z.string(), z.array(PlanTask)),
})
type Looks = z.infer<typeof Looks>

/**
 * Finds the runs in a folder whose records may stand in one history, with the reason for each that is left out. To check every line takes
 * longer than any query, so a run is read again only when the size or the time of one of its files has changed. Throws like `findRuns`.
 */
export function findHistory(folder: string): FoundHistory {
  const paths = findRuns(folder)
  const path = join(cacheFolder(), 'history', `${sha256(resolve(folder)).slice(0, 24)}.json`)
  const before = readLooks(path)
  const now: Looks = { version: packageVersion(), runs: {}, plans: {} }
  let isNew = paths.length !== Object.keys(before?.runs ?? {}).length
  for (const run of paths) {
    const name = basename(run)
    const signature = signatureOf(run)
    const known = before?.runs[name]
    const plan = known?.facts && before?.plans[known.facts.plan]
    const isKnown = known?.signature === signature && (known.facts === undefined || plan !== undefined)
    if (isKnown && known.facts && plan) now.plans[known.facts.plan] = plan
    now.runs[name] = isKnown ? known : lookAt(run, signature, now.plans)
    isNew ||= !isKnown
  }
  if (isNew) writeCacheFile(path, JSON.stringify(now))
  const unjoined = paths.filter(isInBlocks).flatMap((run) => unjoinedOf(run) ?? [])
  return { folder, plans: now.plans, unjoined, ...chosen(now.runs) }
}

function unjoinedOf(run: string): string | undefined {
  try {
    return unjoinedNote(run)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.message
  }
}

function lookAt(run: string, signature: string, plans: Looks['plans']): Look {
  try {
    const { facts, tasks } = readFacts(run)
    plans[facts.plan] = tasks
    return { signature, facts }
  } catch (error) {
    // One run that cannot be read does not hide the others.
    if (!(error instanceof UserError)) throw error
    return { signature, why: error.message }
  }
}

function readLooks(path: string): Looks | undefined {
  try {
    const looks = Looks.safeParse(JSON.parse(readFileSync(path, 'utf8')), { jitless: true }).data
    return looks?.version === packageVersion() ? looks : undefined
  } catch {
    return undefined
  }
}

/** A copy of a run would count its trials twice: the one with more records stays. */
function chosen(looks: Looks['runs']): Pick<FoundHistory, 'runs' | 'leftOut'> {
  const found = Object.values(looks).flatMap(({ facts }) => facts ?? [])
  const leftOut = Object.entries(looks).flatMap(([run, { why }]) => (why === undefined ? [] : [{ run, why }]))
  const kept = new Map<string, RunFacts>()
  for (const facts of found.sort((a, b) => b.recorded - a.recorded || (a.run < b.run ? -1 : 1))) {
    const same = kept.get(facts.identity)
    if (same)
      leftOut.push({
        run: facts.run,
        why: `${facts.run} is a copy of ${same.run}, which has as many records or more.`,
      })
    else kept.set(facts.identity, facts)
  }
  const runs = [...kept.values()].sort((a, b) => (a.createdAt + a.run < b.createdAt + b.run ? -1 : 1))
  return { runs, leftOut }
}
