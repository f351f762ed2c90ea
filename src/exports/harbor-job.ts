import { marksOf } from '../imports/own-marks.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { RunManifest } from '../schema/run/run.ts'
import { taskId } from '../suites/make-task.ts'
import { trajectoryOf } from './atif.ts'
import {
  commonFields,
  type ExportedRun,
  type Exporter,
  type FilePart,
  knownCost,
  knownTokens,
  modelOf,
  rowOf,
  uuidOf,
} from './exported-trial.ts'

/** Trajectories in a folder like that of a job of Harbor: a folder for each trial, with its result and its trajectory. */
export const harborJob: Exporter = {
  summary: 'trajectories (ATIF 1.7) in a job folder like those of Harbor',
  out: 'folder',
  shared: { ...commonFields, start: ({ wall }) => wall.startedAt },
  begin(run) {
    const digests = new Map(run.manifest.tasks.map((task) => [task.ref, task.digest]))
    let trials = 0
    let errors = 0
    return {
      *add(trial): Generator<FilePart> {
        const { record } = trial
        const name = nameOf(record)
        trials++
        if (exceptionOf(record)) errors++
        yield jsonFile(`${name}/result.json`, resultOf(record, name, run, digests.get(record.task)))
        yield jsonFile(`${name}/agent/trajectory.json`, trajectoryOf(trial, run))
      },
      end: () => [jsonFile('result.json', jobResult(run.manifest, trials, errors))],
    }
  },
}

const jsonFile = (path: string, value: unknown): FilePart => ({
  path,
  text: `${JSON.stringify(value, null, 2)}\n`,
})

/** Longer names of folders are cut; the trial's id at their end tells them apart. */
const longestPart = 40

/** Returns the name of a trial's folder. In their order, trials of one task and row have the order of their epochs. */
function nameOf(record: TrialRecord): string {
  const part = (text: string) => taskId(text).slice(0, longestPart)
  return `${part(record.task)}__${part(rowOf(record))}__${record.epoch}__${record.trial.slice(0, 12)}`
}

function jobResult({ id, createdAt }: RunManifest, trials: number, errors: number) {
  return {
    ...{ id: uuidOf(id), started_at: createdAt, n_total_trials: trials },
    stats: { n_completed_trials: trials, n_errored_trials: errors },
  }
}

function resultOf(record: TrialRecord, name: string, run: ExportedRun, checksum: string | undefined) {
  const { task, suite, trial, passed, score, wall, durationMs } = record
  const model = modelOf(record)
  const tokens = knownTokens(record)
  const started = Date.parse(wall.startedAt)
  const finished =
    Number.isNaN(started) || durationMs === null ? null : new Date(started + Math.round(durationMs))
  const times = {
    started_at: Number.isNaN(started) ? null : wall.startedAt,
    finished_at: finished?.toISOString() ?? null,
  }
  return {
    ...{
      id: uuidOf(`${run.manifest.id} ${trial}`),
      task_name: task.slice(suite.length + 1),
      trial_name: name,
    },
    ...{ task_id: { path: task }, source: suite, task_checksum: checksum ?? null },
    agent_info: {
      ...{ name: rowOf(record), version: run.manifest.versions.bench },
      model_info: model === undefined ? null : modelInfo(model),
    },
    agent_result: {
      n_input_tokens: tokens?.input ?? null,
      n_cache_tokens: tokens?.cached ?? null,
      n_output_tokens: tokens?.output ?? null,
      cost_usd: knownCost(record) ?? null,
      metadata: marksOf(record, rowOf(record)),
    },
    verifier_result: passed === null ? null : { rewards: { reward: passed ? 1 : 0, score } },
    exception_info: exceptionOf(record) ?? null,
    agent_execution: times,
    ...times,
  }
}

function modelInfo(model: string): { name: string; provider: string | null } {
  const slash = model.indexOf('/')
  return slash < 0
    ? { name: model, provider: null }
    : { name: model.slice(slash + 1), provider: model.slice(0, slash) }
}

/** What broke a trial. That a person cancelled it is no exception. */
function exceptionOf({ outcome: { status, reason } }: TrialRecord) {
  if (status === 'completed' || status === 'cancelled') return undefined
  if (status === 'error') return { exception_type: reason || 'error', exception_message: null }
  return { exception_type: status === 'limited' ? 'AgentLimit' : 'AgentError', exception_message: reason }
}
