import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readRecords } from '../../loop/record/records.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { ChainState } from '../../schema/stage/chain-state.ts'
import type { Files } from '../../schema/task.ts'
import { StageName } from '../../workflows/chain/stages.ts'
import { readChangedFiles } from '../session/artifacts.ts'
import { readSavedRequest } from '../tasks/request-task.ts'
import { sayPlaces, totalText } from './run-part.ts'
import type { StageWords } from './workflow.ts'

/** A stage that has ended: its run, and what came of it in the workflow. */
interface EndedStage {
  words: StageWords
  home: string
  folder: string
  result: StageResult
  /** How the stage ship ended in the workflow's own repository. */
  shipped: { problem?: string } | undefined
}

const resultFields: Readonly<Record<string, readonly (keyof ChainState)[]>> = {
  plan: ['plan'],
  build: ['answer', 'build_results'],
  test: ['test_gen_results', 'test_results'],
  review: ['review'],
  document: ['documentation'],
  ship: ['ship'],
}

/** Prints what a stage found or made, and what it cost. */
export function reportStage(ended: EndedStage, json: boolean): void {
  const state = ChainState.parse(JSON.parse(readFileSync(join(ended.home, 'state.json'), 'utf8')))
  process.stdout.write(json ? `${JSON.stringify(toJson(ended, state), null, 2)}\n` : toText(ended, state))
  const { folder, result, shipped } = ended
  if (shipped?.problem !== undefined) process.stderr.write(`${safeText(shipped.problem)}\n`)
  sayPlaces(folder, result.record)
}

const statusOf = ({ words, result }: EndedStage, { stages }: ChainState) => {
  const last = result.state && stages.at(-1)
  return last?.stage === words.stage ? last : undefined
}

const resultOf = ({ words, result }: EndedStage, state: ChainState) =>
  result.state
    ? (resultFields[words.stage] ?? []).flatMap((field) =>
        state[field] === undefined ? [] : [[field, state[field]] as const],
      )
    : []

const filesOf = ({ result }: EndedStage) => (result.state ? Object.entries(result.files) : [])

function toJson(ended: EndedStage, state: ChainState) {
  const { words, home, folder, result, shipped } = ended
  const { trial, agents, simulated, outcome, spent } = result.record
  const files = filesOf(ended)
  return {
    ...{ run: folder, trial, workflow: words.workflow, issue: state.issue, stage: words.stage },
    ...{ exitCode: result.exit ?? null, broken: result.broken ?? shipped?.problem ?? null, outcome },
    status: statusOf(ended, state) ?? null,
    result: Object.fromEntries(resultOf(ended, state)),
    written: files.flatMap(([path, text]) => (text === null ? [] : [path])),
    deleted: files.flatMap(([path, text]) => (text === null ? [path] : [])),
    state: join(home, 'state.json'),
    ...{ agents, simulated, spent },
  }
}

/** A result as compact JSON, without the patch, which is a file of its own. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (name, inner) => (name === 'patch' ? undefined : inner))

function toText(ended: EndedStage, state: ChainState): string {
  const { words, home, result, shipped } = ended
  const { outcome } = result.record
  const status = statusOf(ended, state)
  const head =
    outcome.status === 'completed'
      ? `stage ${words.stage}: ${result.broken ?? (status ? `${status.status}${status.detail === undefined ? '' : `, ${status.detail}`}` : 'not started')}`
      : `stage ${words.stage}: ${outcome.status}, ${outcome.reason}; workflow ${words.workflow} is as it was before`
  const texts = resultOf(ended, state).map(([field, value]) =>
    typeof value === 'string' ? safeText(value).trimEnd() : `${field}: ${safeLine(shown(value))}`,
  )
  const files = filesOf(ended).map(([path, text]) =>
    safeLine(`${text === null ? 'deleted' : 'written'}: ${join(home, 'workspace', path)}`),
  )
  const patch = shipped && shipped.problem === undefined ? [`patch: ${join(home, 'change.patch')}`] : []
  const place = result.state ? [`state: ${join(home, 'state.json')}`] : []
  const tail = [...files, ...patch, ...place, totalText(result.record)]
  return `${[safeLine(head), ...texts, tail.join('\n')].join('\n\n')}\n`
}

const TrialState = z.object({
  state: ChainState,
  ends: z.array(z.object({ stage: z.string(), exit: z.number().nullable(), broken: z.string().optional() })),
})

interface StageResult {
  record: TrialRecord
  /** The state of the workflow after it; undefined if the run did not come so far. */
  state: ChainState | undefined
  /** The exit code of the stage; null if it did not end by itself, undefined if it was not started. */
  exit: number | null | undefined
  /** Why it broke. */
  broken: string | undefined
  /** The files that it began with, and those that it changed; null is a deleted one. */
  before: Files
  files: Record<string, string | null>
}

/** Reads the result of a run of one stage from its folder; undefined if its trial has not ended. */
export function readStageResult(folder: string): StageResult | undefined {
  const [record] = readRecords(folder)
  if (!record) return undefined
  const completed = record.outcome.status === 'completed'
  const { state, ends } = (completed ? TrialState.safeParse(record.state).data : undefined) ?? {}
  const last = ends?.at(-1)
  return {
    ...{ record, state, exit: last?.exit, broken: last?.broken },
    before: readSavedRequest(folder).files,
    files: readChangedFiles(folder, record.trial),
  }
}

/** The options that a run of one stage was begun with; undefined for any other run. */
export function stageOptionsOf({ methods }: RunManifest): { only: StageName; state: string } | undefined {
  const [method] = methods
  if (method?.strategy !== 'chained') return undefined
  return z.object({ only: StageName, state: z.string() }).safeParse(method.options).data
}
