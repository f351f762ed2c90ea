import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { addRecord, emptyRow, type RowTally, summarizeRow } from '../analysis/method-row.ts'
import { fiellerRatio, percentSaved } from '../analysis/ratios/ratio.ts'
import { agentsLabel } from '../analysis/summarize.ts'
import type { EarlierRow } from '../analysis/summary.ts'
import type { ClusterNames } from '../analysis/tasks/clusters.ts'
import { valueAt } from '../base/grouping.ts'
import { runFiles } from '../loop/journal/run-files.ts'
import { findRuns, foreignFile } from '../loop/record/find-runs.ts'
import { readRecords } from '../loop/record/records.ts'
import { readManifest } from '../loop/record/run-folder.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import { UserError } from '../text/errors.ts'
import { confidence } from './estimates.ts'
import { kindOfRun, readFacts } from './run-facts.ts'

/** More runs than these say little more, and take long to read. */
const mostRuns = 10

interface Run {
  folder: string
  manifest: RunManifest
}

/**
 * Compares a whole run with the newest earlier runs beside it that have the same tasks and kind: row by row, with the same agents and faults. A run
 * that cannot be read, or is not whole, is no earlier run.
 */
export function compareWithEarlier(
  folder: string,
  manifest: RunManifest,
  clusters: ClusterNames,
): EarlierRow[] {
  const earlier = earlierBeside(folder, manifest)
  if (earlier.length === 0) return []
  const [own, before] = [rowsOf([{ folder, manifest }]), rowsOf(earlier)]
  return [...own].flatMap(([key, { row }]) => {
    const past = before.get(key)
    if (!past) return []
    const { success } = summarizeRow(past.row, { confidence, planned: null, clusters })
    const methodOf = ({ methods }: RunManifest) =>
      canonicalJson(methods.find(({ label }) => label === row.method) ?? null)
    const isChanged = past.runs.some((run) => methodOf(run) !== methodOf(manifest))
    return {
      ...{ method: row.method, set: row.set, runs: past.runs.length },
      success,
      saved: savedOf(row, past.row),
      isChanged,
    }
  })
}

/** Returns the rows of runs together, with the runs that have them. */
function rowsOf(runs: readonly Run[]) {
  const rows = new Map<string, { row: RowTally; runs: RunManifest[] }>()
  for (const [i, { folder, manifest }] of runs.entries())
    for (const record of readRecords(folder)) {
      const { method, agentSet: set = null, faults = null } = record
      const agents = agentsLabel(record.agents)
      const key = JSON.stringify([method, set, agents, faults])
      const own = valueAt(rows, key, () => ({ row: emptyRow(method, agents, set), runs: [] }))
      if (own.runs.at(-1) !== manifest) own.runs.push(manifest)
      // Each run counts its epochs from 1.
      addRecord(own.row, { ...record, epoch: record.epoch + i * 1_000_000 })
    }
  return rows
}

/** Compares the cost at list prices of the tasks whose cost both know. */
function savedOf(own: RowTally, past: RowTally): EarlierRow['saved'] {
  const pairs = [...own.tasks.values()].flatMap((ours) => {
    const theirs = past.tasks.get(ours.task)
    return theirs && ours.listTrials > 0 && theirs.listTrials > 0
      ? [[ours.list / ours.listTrials, theirs.list / theirs.listTrials] as const]
      : []
  })
  const [x, y] = [pairs.map(([ours]) => ours), pairs.map(([, theirs]) => theirs)]
  const { ratio, lower, upper } = fiellerRatio(x, y, confidence)
  return percentSaved(ratio, lower, upper)
}

/** Returns the earlier runs of the same tasks beside a run, the newest first. */
function earlierBeside(folder: string, manifest: RunManifest): Run[] {
  const own = resolve(folder)
  const like = headOf(manifest)
  const found = siblings(own).flatMap((path) => {
    const head = readHead(path)
    return path !== own && head && head.createdAt < manifest.createdAt && head.tasks === like.tasks
      ? [{ path, createdAt: head.createdAt }]
      : []
  })
  const newest = found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const earlier: Run[] = []
  for (const { path } of newest) {
    const run = earlier.length < mostRuns && readWhole(path)
    // A copy of a run says nothing new.
    const isCopy = [{ manifest }, ...earlier].some((one) => run && one.manifest.id === run.manifest.id)
    if (run && !isCopy && kindOfRun(run.manifest) === kindOfRun(manifest)) earlier.push(run)
  }
  return earlier
}

function siblings(folder: string): string[] {
  try {
    return findRuns(dirname(folder))
  } catch {
    // The folder around may not be readable.
    return []
  }
}

type Head = Pick<RunManifest, 'createdAt' | 'tasks'>

const headOf = ({ createdAt, tasks }: Head) => ({
  createdAt,
  tasks: tasks
    .map(({ ref, digest }) => `${ref} ${digest}`)
    .sort()
    .join('\n'),
})

/** Reads what tells most runs apart, without the rest: there may be many. */
function readHead(folder: string): ReturnType<typeof headOf> | undefined {
  if (foreignFile(folder)) return undefined
  try {
    return headOf(JSON.parse(readFileSync(join(folder, runFiles.manifest), 'utf8')) as Head)
  } catch {
    return undefined
  }
}

function readWhole(folder: string): Run | undefined {
  try {
    const { facts } = readFacts(folder)
    return facts.recorded < facts.trials ? undefined : { folder, manifest: readManifest(folder) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  }
}
