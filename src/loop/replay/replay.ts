import { join } from 'node:path'
import type { GraphEvent, GraphTrace } from '../../schema/ledger/graph-event.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { canonicalJson, sha256 } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import type { Session } from '../branch/run-session.ts'
import type { RunState, TrialState } from '../branch/trial-state.ts'
import { openBlobs } from '../journal/blobs.ts'
import { indexJournal } from '../journal/ledger-index.ts'
import { readRecords, recordedTrials } from '../record/records.ts'
import { createLedgerVerifier, findLostLines } from '../record/verify-ledger.ts'
import { readGraphTraces } from '../record/workflow-events.ts'
import { gradeTrial } from '../trial/grade-trial.ts'
import { playTrial } from '../trial/play-trial.ts'
import { endStalledTrials } from '../work/stalled-trials.ts'
import { checkSchedule, collectGraphEvents, traceDifference } from './compare-traces.ts'

interface ReplayEnd {
  trials: number
  /** Each names the place and the difference. */
  divergences: string[]
  /** Trials of an earlier plan of the run, whose task or method is not as it was: they cannot be replayed. */
  changed: string[]
  /** SHA-256 over all replayed records in the order of the file, without `wall`: equal for equal replays. */
  digest: string
}

/**
 * Runs the recorded trials again from the journal alone: no agent, no check, no clock. With `regrade`, the graders run again,
 * and different scores are reported. `only` selects one trial. Throws `UserError` when lines of the ledger are lost.
 */
export async function replayRun(
  session: Session,
  options: { only?: string; regrade?: boolean; signal: AbortSignal },
): Promise<ReplayEnd> {
  const blobs = openBlobs(join(session.folder, 'blobs'))
  const trials = new Map(Array.from(session.plan, (trial) => [trial.id, trial]))
  const check = createLedgerVerifier(session.folder, recordedTrials(session.folder))
  const isWanted = (id: string) => options.only === undefined || id === options.only
  const index = indexJournal(
    session.folder,
    blobs,
    isWanted,
    (id) => trials.has(id) || session.earlierTasks !== undefined,
    check,
  )
  const graphEvents = collectGraphEvents()
  const running: TrialState[] = []
  const endWatch = endStalledTrials(running, options.signal)
  const run: RunState = {
    ...session,
    ...{ journal: undefined, blobs, event: graphEvents.event, signal: options.signal, running },
    ...(options.regrade && { regrade: true }),
  }
  const divergences: string[] = []
  // A replay alone would not notice every change, such as a changed word in a reply that affected nothing.
  const broken = check.problems()
  // If records and their steps are both missing, nothing diverges, so the lost lines are checked.
  const lost = broken.size === 0 ? findLostLines(session.folder) : undefined
  if (lost) throw new UserError(lost)
  for (const [trial, { where, what }] of broken)
    if (options.only === undefined || trial === options.only) divergences.push(`[${where}] ${what}`)
  const traces = readGraphTraces(session.folder, isWanted)
  const changed: string[] = []
  const digests: string[] = []
  let count = 0
  try {
    for (const record of readRecords(session.folder)) {
      if (options.only !== undefined && record.trial !== options.only) continue
      options.signal.throwIfAborted()
      if (!trials.has(record.trial) && session.earlierTasks?.has(record.task)) {
        changed.push(
          `[trial ${record.trial}] cannot be replayed: ${record.task} or its method has changed since`,
        )
        continue
      }
      count++
      const trial = trials.get(record.trial)
      const task = session.tasks.get(record.task)
      const strategy = trial && session.strategies.get(trial.cell.method.strategy)
      if (!trial || !task || !strategy) {
        divergences.push(`[trial ${record.trial}] is not in the run's plan`)
        continue
      }
      const { status, reason } = record.outcome
      const recorded = { ...index.readTrial(trial.id), ...(status === 'error' && { broke: reason }) }
      const replayed = await gradeTrial(await playTrial(run, trial, task, strategy, recorded))
      digests.push(canonicalJson(withoutWall(replayed.record)))
      // The moment of an error decides what was still written before it.
      const isComparable = status !== 'error' && replayed.divergences.length === 0
      const events = graphEvents.take()
      const now = isComparable ? events : undefined
      if (!recorded.diverged)
        divergences.push(...traceProblems(record.trial, traces.get(record.trial) ?? [], session.mode, now))
      const { interventions, people } = record
      // Older records only count interventions.
      if (interventions !== undefined && !people) delete replayed.record.people
      // Older records do not compare the models that answered.
      if (!record.otherModels) delete replayed.record.otherModels
      if (!record.served) delete replayed.record.served
      // Nor do they count revisions.
      if (!record.revisions) delete replayed.record.revisions
      // Nor what was repaired in data.
      if (!record.repairedData) delete replayed.record.repairedData
      if (replayed.divergences.length > 0) divergences.push(...replayed.divergences)
      else divergences.push(...differences(record, replayed.record, options.regrade ? ['sandbox'] : []))
    }
  } finally {
    endWatch()
    index.close()
  }
  return { trials: count, divergences, changed, digest: sha256(digests.join('\n')) }
}

/** Checks the traces of a trial's graphs against the rules of their scheduler, and against what the replay wrote, if that is given. */
const traceProblems = (
  trial: string,
  traces: readonly GraphTrace[],
  mode: Session['mode'],
  now: ReadonlyMap<string, readonly GraphEvent[]> | undefined,
): string[] =>
  traces.flatMap((trace) => {
    const broken = checkSchedule(trace.events, { byClock: mode === 'dev' })
    const difference = broken.length === 0 && now ? traceDifference(trace, now.get(trace.path)) : undefined
    const problems = difference === undefined ? broken : [difference]
    return problems.map((problem) => `[trial ${trial}, graph ${trace.path}, events.jsonl] ${problem}`)
  })

/** Lists the fields in which two records differ. `leftOut`: fields that regrading may change, such as the sandbox level. */
function differences(recorded: TrialRecord, now: TrialRecord, ignoredFields: readonly string[]): string[] {
  const before = withoutWall(recorded) as Record<string, unknown>
  const after = withoutWall(now) as Record<string, unknown>
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...fields].flatMap((field) => {
    if (ignoredFields.includes(field)) return []
    const [was, is] = [before[field], after[field]].map((value) =>
      value === undefined ? 'nothing' : canonicalJson(value),
    )
    return was === is
      ? []
      : [`[trial ${recorded.trial}, record field ${field}] recorded: ${was}\n  now: ${is}`]
  })
}

function withoutWall({ wall: _, ...rest }: TrialRecord): Omit<TrialRecord, 'wall'> {
  return rest
}
