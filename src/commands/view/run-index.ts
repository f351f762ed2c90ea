import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { verifyChecksum } from '../../loop/journal/checksum.ts'
import type { LineSpan } from '../../loop/journal/lines.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { type GridTrial, markOf } from '../../reports/html/grid.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { schemaVersion, type TrialRecord } from '../../schema/ledger/record.ts'
import { followLines } from './follow-lines.ts'

/** What is known of a trial with a record without reading it again, and the place of its line. */
export interface TrialHead extends GridTrial, LineSpan {
  costUsd: number | null
  /** When its work began, as its record says, and how long it took; ms. */
  startedAt: string
  ms: number
  /** The change of the index with which it came; see `RunIndex.version`. */
  version: number
}

/** The trials and steps of a run folder, which may be growing. */
export interface RunIndex {
  /** Of this index, so that nobody takes the versions of another one for its own. */
  readonly id: string
  /** Grows with each trial that came, changed or went. */
  readonly version: number
  /** The trials with a record, by id. */
  readonly heads: ReadonlyMap<string, TrialHead>
  /** The trials whose record went, as those of `--retry-errors` and `--repair`. */
  readonly gone: ReadonlyMap<string, TrialHead>
  /** The lines of each trial in the ledger. */
  readonly steps: ReadonlyMap<string, readonly LineSpan[]>
  /** What cannot be read, a sentence each; the rest can be. */
  readonly problems: readonly string[]
  /** Reads what the files have got since. */
  refresh(): Promise<void>
}

const mostProblems = 5

/** Opens the index of a run folder, which is empty until it is refreshed. */
export function openRunIndex(folder: string): RunIndex {
  const id = randomBytes(6).toString('hex')
  let version = 0
  let heads = new Map<string, TrialHead>()
  let before = heads
  const gone = new Map<string, TrialHead>()
  const steps = new Map<string, LineSpan[]>()
  const damaged = { records: [] as string[], steps: [] as string[] }
  let unreadable: string[] = []

  const records = followLines(join(folder, runFiles.records), {
    anew() {
      before = heads
      heads = new Map()
      damaged.records = []
    },
    line(bytes, at) {
      const isChanged = verifyChecksum(bytes) === 'invalid'
      const head = isChanged ? 'was changed after it had been written' : headOf(bytes.toString(), at)
      if (typeof head === 'string')
        return void damaged.records.push(`${runFiles.records}, line ${at.number}, ${head}`)
      if (heads.has(head.id))
        damaged.records.push(`${runFiles.records}, line ${at.number}, is a second record of trial ${head.id}`)
      const old = before.get(head.id)
      const isSame = old?.mark === head.mark && old.startedAt === head.startedAt
      heads.set(head.id, { ...head, version: isSame ? old.version : ++version })
      gone.delete(head.id)
    },
  })
  const ledger = followLines(join(folder, runFiles.steps), {
    anew() {
      steps.clear()
      damaged.steps = []
    },
    line(bytes, at) {
      const trial = trialOf(bytes)
      if (trial === undefined)
        return void damaged.steps.push(`${runFiles.steps}, line ${at.number}, was not written by bench`)
      const own = steps.get(trial)
      if (own) own.push(at)
      else steps.set(trial, [at])
    },
  })
  const refresh = async () => {
    // Records first: a trial with a record then has all of its steps.
    const problems = [await records(), await ledger()]
    unreadable = problems.filter((problem) => problem !== undefined)
    if (before === heads) return
    for (const [trial, head] of before)
      if (!heads.has(trial)) gone.set(trial, { ...head, version: ++version })
    before = heads
  }
  let last: Promise<void> = Promise.resolve()
  return {
    id,
    gone,
    steps,
    get version() {
      return version
    },
    get heads() {
      return heads
    },
    get problems() {
      const all = [...damaged.records, ...damaged.steps]
      const rest = all.length - mostProblems
      return [
        ...unreadable,
        ...all.slice(0, mostProblems),
        ...(rest > 0 ? [`${rest} more lines cannot be read`] : []),
      ]
    },
    refresh() {
      last = last.then(refresh, refresh)
      return last
    },
  }
}

/** Returns the head of a record, or why the line is none. */
function headOf(text: string, at: LineSpan): Omit<TrialHead, 'version'> | string {
  let record: Partial<TrialRecord>
  try {
    record = Object(JSON.parse(text)) as Partial<TrialRecord>
  } catch {
    return 'is damaged'
  }
  const { trial: id, task, method, agentSet, epoch, outcome, passed = null, spent, wall } = record
  if (Number(record.schemaVersion) > schemaVersion) return 'was written by a newer bench'
  const isRecord = [id, task, method, outcome?.status, wall?.startedAt].every(
    (one) => typeof one === 'string',
  )
  if (!isRecord || !Number.isInteger(epoch) || Number(epoch) < 1) return 'was not written by bench'
  const { status } = outcome as TrialRecord['outcome']
  const result = passed === null ? 'not graded' : passed ? 'passed' : 'not passed'
  return {
    ...at,
    id: id as string,
    task: task as string,
    row: rowName(method as string, agentSet),
    epoch: epoch as number,
    mark: markOf({ outcome: status, passed: result }),
    costUsd: spent && spent.unreportedCost === 0 ? spent.costUsd : null,
    startedAt: wall?.startedAt as string,
    ms: wall?.ms ?? 0,
  }
}

const [opening, quote] = ['{"trial":"', 0x22]

/** Returns the trial of a line of the ledger without parsing it: every line begins with its trial. */
function trialOf(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 0, opening.length) !== opening) return undefined
  const end = bytes.indexOf(quote, opening.length)
  return end < 0 ? undefined : bytes.toString('latin1', opening.length, end)
}
