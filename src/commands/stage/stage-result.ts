import { z } from 'zod'
import { readRecords } from '../../loop/record/records.ts'
import { StageName } from '../../orchestration/chain/stages.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { ChainState } from '../../schema/stage/chain-state.ts'
import type { Files } from '../../schema/task.ts'
import { readChangedFiles } from '../session/artifacts.ts'
import { readSavedRequest } from '../tasks/request-task.ts'

const TrialState = z.object({
  state: ChainState,
  ends: z.array(z.object({ stage: z.string(), exit: z.number().nullable(), broken: z.string().optional() })),
})

/** What a run of one stage came to. */
export interface StageResult {
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
