import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FindWindow, loadContextWindows } from '../../agents/context-window.ts'
import { callsOf, largestPrompt, sumCalls, type TrialCall } from '../../analysis/workflow/calls.ts'
import {
  type AgentContext,
  agentContexts,
  contextHealth,
  type TrialContext,
} from '../../analysis/workflow/contexts.ts'
import { machineOf } from '../../analysis/workflow/record.ts'
import { groupBy } from '../../base/grouping.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { readRecords } from '../../loop/record/records.ts'
import { renderSection } from '../../reports/formats/markdown.ts'
import { windowTable } from '../../reports/workflow/show-tables.ts'
import { writeInside } from '../../sandbox/folders/write-inside.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Reads from the ledger how full the context windows of agents were, for the trials that ran workflows of states. */
export async function readMachineContexts(folder: string, manifest: RunManifest): Promise<AgentContext[]> {
  const windowOf = windowFinder(manifest, await loadContextWindows())
  return agentContexts(
    [...machineTrials(folder)].flatMap(({ record, calls }) => trialContexts(record, calls, windowOf)),
  )
}

function* machineTrials(folder: string) {
  const own = new Set<string>()
  for (const record of readRecords(folder)) if (machineOf(record)) own.add(record.trial)
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), (trial) => own.has(trial))
  try {
    for (const record of readRecords(folder)) {
      const machine = machineOf(record)
      if (machine) yield { record, machine, calls: callsOf(index.readTrial(record.trial).steps.values()) }
    }
  } finally {
    index.close()
  }
}

/** Writes into the summaries that workflows have generated how full the context windows of their sessions were: no trial knows it of itself. */
export async function addContextTables(folder: string, manifest: RunManifest): Promise<void> {
  const windowOf = windowFinder(manifest, await loadContextWindows())
  for (const { record, machine, calls } of machineTrials(folder)) {
    const actions = machine.visits.flatMap((visit) => visit.actions)
    const paths = new Set(actions.flatMap(({ action, text }) => (action === 'generate' ? [text] : [])))
    const outputs = join(folder, 'artifacts', record.trial, 'outputs')
    // `capture.summaries: false` keeps none.
    for (const path of [...paths].filter((one) => existsSync(join(outputs, one)))) {
      const [before = ''] = readFileSync(join(outputs, path), 'utf8').split(contextHeading)
      const table = windowTable('Largest prompts', sessionWindows(calls, windowOf))
      const text = before + contextHeading + renderSection([table], table.notes)
      withStorageErrors(join(outputs, path), () => writeInside(outputs, path, text))
    }
  }
}

const contextHeading = '\n## Context windows\n\n'

/** Returns what the sessions of a trial have spent, and how full their windows were, by name. */
export const sessionWindows = (calls: readonly TrialCall[], windowOf: WindowOf) =>
  inOrder(groupBy(calls, sessionName)).map(([name, own]) => {
    const { used, window, source } = windowUse(own, windowOf)
    return { name, source, ...contextHealth(used, window), ...sumCalls(own) }
  })

function windowUse(calls: readonly TrialCall[], windowOf: WindowOf) {
  // The provider may name the model only in an answered call.
  const found = calls.map(windowOf).find((window) => window !== undefined)
  return { used: largestPrompt(calls), window: found?.tokens ?? null, source: found?.source ?? null }
}

/** Steps of parallel branches lie in the order in which they ended, which a resumed run changes. */
const inOrder = <T>(groups: ReadonlyMap<string, T>) => [...groups].sort(([a], [b]) => (a < b ? -1 : 1))

/** Calls without a session begin a conversation each; they share a line. */
const sessionName = ({ role, session }: TrialCall) =>
  session === null ? `${role}, each call alone` : `${role}, session ${session}`

type WindowOf = (call: TrialCall) => ReturnType<FindWindow>

/** Returns how the windows of a run's agents are found: by its settings, else in the price table. */
export const windowFinder =
  ({ agentSettings, endpoints }: RunManifest, findWindow: FindWindow): WindowOf =>
  ({ agent, model }) =>
    findWindow({
      agent,
      answered: model,
      endpoint: endpoints?.[agent],
      setting: agentSettings?.[agent],
    })

/** Returns the largest prompt of each role and agent in a trial, with the agent's window. */
function trialContexts(
  { method, agentSet }: Pick<TrialRecord, 'method' | 'agentSet'>,
  calls: readonly TrialCall[],
  windowOf: WindowOf,
): TrialContext[] {
  const groups = groupBy(calls, ({ role, agent }) => JSON.stringify([role, agent]))
  return inOrder(groups).map(([, own]) => {
    const [{ role, agent }] = own
    return { method, set: agentSet ?? null, role, agent, ...windowUse(own, windowOf) }
  })
}
