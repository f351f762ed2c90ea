import { readAllRecords } from '../../loop/join/blocks.ts'
import type { EpochPair } from '../../reports/story/pair-story.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { isShown, type TrialFilter } from './trial-filter.ts'

/** Prints a value as JSON to stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** Returns the trials of a run that a filter lets pass, as `bench show RUN --json` prints them. */
export function trialsOf(folder: string, manifest: RunManifest, filter: TrialFilter) {
  const records = [...readAllRecords(folder)]
  return {
    run: folder,
    planned: manifest.trials,
    recorded: records.length,
    trials: records.filter((record) => isShown(record, filter)).map(inShort),
  }
}

/** Returns two methods on one task, epoch by epoch. `right` is what is right, if it may be shown. */
export const pairOf = (
  run: string,
  {
    task,
    names: [a, b],
    right,
    epochs,
  }: {
    task: string
    names: readonly [string, string]
    right: unknown
    epochs: readonly EpochPair[]
  },
) => ({
  ...{ run, task, right },
  epochs: epochs.map((pair) => ({
    epoch: pair.epoch,
    [a]: pair.a ? { ...inShort(pair.a), answer: pair.a.answer } : null,
    [b]: pair.b ? { ...inShort(pair.b), answer: pair.b.answer } : null,
  })),
})

/** What a list tells of a trial, with the names of its record. `row` is the method as tables name it. */
export function inShort(record: TrialRecord) {
  const { trial, task, method, agents, agentSet, epoch, outcome, claimed, passed, score, spent } = record
  const row = rowName(method, agentSet)
  return {
    trial,
    task,
    row,
    method,
    agents,
    agentSet,
    epoch,
    outcome,
    claimed,
    passed,
    score,
    spent,
    durationMs: record.durationMs,
  }
}
