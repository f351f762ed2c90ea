import { join } from 'node:path'
import { callsOf, type TrialCall } from '../../analysis/workflow/calls.ts'
import { type MachineView, machineOf, viewOfRecord, viewOfSteps } from '../../analysis/workflow/record.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal, journaledTrials } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import { readMachineEvents } from '../../loop/record/workflow-events.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { MachineRecord } from '../../schema/machine/machine-record.ts'

type TrialCell = Pick<TrialRecord, 'task' | 'method' | 'epoch'>

/** A trial with its calls and, if it ran one, its workflow of states. */
export interface TrialView {
  trial: string
  /** Null: the trial has not ended, and the tasks of its run can no longer be read. */
  cell: TrialCell | null
  /** How it ended. */
  end: string
  machine: MachineView | undefined
  calls: TrialCall[]
}

/**
 * Reads trials one at a time: those with a record in its order, then those that have only steps. `planned` returns the plan, which only
 * the latter need.
 */
export function* readTrialViews(
  folder: string,
  wanted: (trial: string) => boolean,
  planned: () => Iterable<Trial>,
): Generator<TrialView> {
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), wanted)
  const events = readMachineEvents(folder, wanted)
  const view = (trial: string, cell: TrialCell | null, end: string, machine?: MachineRecord): TrialView => {
    const steps = [...index.readTrial(trial).steps.values()]
    return {
      ...{ trial, cell, end },
      // A trial that ended in an error has no state in its record.
      machine: machine ? viewOfRecord(machine) : viewOfSteps(steps, events.get(trial) ?? []),
      calls: callsOf(steps),
    }
  }
  const seen = new Set<string>()
  try {
    for (const record of readRecords(folder)) {
      const { trial, task, method, epoch, agentSet } = record
      seen.add(trial)
      if (!wanted(trial)) continue
      const end = [record.outcome.status, record.claimed ?? ''].filter(Boolean).join(', ')
      yield view(trial, { task, method: rowName(method, agentSet), epoch }, end, machineOf(record))
    }
    const open = journaledTrials(folder).filter((trial) => !seen.has(trial) && wanted(trial))
    const cells = open.length > 0 ? cellsOf(planned(), new Set(open)) : undefined
    for (const trial of open) yield view(trial, cells?.get(trial) ?? null, 'not ended yet')
  } finally {
    index.close()
  }
}

function cellsOf(plan: Iterable<Trial>, wanted: ReadonlySet<string>): Map<string, TrialCell> {
  const cells = new Map<string, TrialCell>()
  for (const { id, epoch, cell } of plan)
    if (wanted.has(id))
      cells.set(id, { task: cell.task, method: rowName(cell.method.label, cell.agentSet), epoch })
  return cells
}
