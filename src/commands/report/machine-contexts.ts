import { join } from 'node:path'
import { type FindWindow, loadContextWindows } from '../../agents/context-window.ts'
import { callsOf, largestPrompt, type TrialCall } from '../../analysis/workflow/calls.ts'
import { type AgentContext, agentContexts, type TrialContext } from '../../analysis/workflow/contexts.ts'
import { machineOf } from '../../analysis/workflow/record.ts'
import { groupBy } from '../../base/grouping.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Reads from the ledger how full the context windows of agents were, for the trials that ran workflows of states. */
export async function readMachineContexts(folder: string, manifest: RunManifest): Promise<AgentContext[]> {
  const own = new Set<string>()
  for (const record of readRecords(folder)) if (machineOf(record)) own.add(record.trial)
  const findWindow = await loadContextWindows()
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), (trial) => own.has(trial))
  const contexts: TrialContext[] = []
  try {
    for (const record of readRecords(folder)) {
      if (!own.has(record.trial)) continue
      const calls = callsOf(index.readTrial(record.trial).steps.values())
      contexts.push(...trialContexts(record, calls, windowFinder(manifest, findWindow)))
    }
  } finally {
    index.close()
  }
  return agentContexts(contexts)
}

/** Returns the window of the agent of a call. */
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
export function trialContexts(
  { method, agentSet }: Pick<TrialRecord, 'method' | 'agentSet'>,
  calls: readonly TrialCall[],
  windowOf: WindowOf,
): TrialContext[] {
  const groups = groupBy(calls, ({ role, agent }) => JSON.stringify([role, agent]))
  return [...groups.values()].map((own) => {
    const [{ role, agent }] = own
    // The provider may name the model only in an answered call.
    const found = own.map(windowOf).find((window) => window !== undefined)
    return {
      ...{ method, set: agentSet ?? null, role, agent },
      used: largestPrompt(own),
      window: found?.tokens ?? null,
      source: found?.source ?? null,
    }
  })
}
