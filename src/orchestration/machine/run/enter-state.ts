import type { MachineState } from '../../../schema/machine/states.ts'
import { machineSummary } from '../summary.ts'
import { deliveredOutput } from './deliver.ts'
import { readGuidance, waitingGuidance } from './guidance.ts'
import { currentVisit, type MachineRun } from './machine-run.ts'
import { exists } from './state-inputs.ts'

/** Begins a visit of a state, and journals where the machine is. A person may have given guidance meanwhile. */
export async function enterState(run: MachineRun, name: string, state: MachineState): Promise<void> {
  const { context, record, transitions } = run
  const visit = record.visits.filter((one) => one.state === name).length + 1
  record.visits.push({
    ...{ state: name, type: state.type, visit, at: context.now(), ms: 0 },
    ...{ runs: [], actions: [], result: null, next: null },
  })
  context.label({ state: name, visit })
  const { guidance } = await context.checkpoint({
    machine: { state: name, visit, transitions: transitions.length },
    guidance: waitingGuidance(run),
  })
  readGuidance(run, guidance)
}

/** Does what a state wants on entry, in order, up to the first check that fails. Returns what did not exist. */
export function runActions(run: MachineRun, name: string, state: MachineState): string | undefined {
  const { actions } = currentVisit(run)
  for (const action of state.on_enter) {
    if ('log' in action) {
      actions.push({ action: 'log', text: action.log })
      run.context.note({ type: 'state_log', state: name, text: action.log })
    } else if ('validate' in action) {
      if (!exists(run, action.validate)) return action.validate
      actions.push({ action: 'validate', text: action.validate })
    } else {
      writeSummary(run, name, action.generate)
      actions.push({ action: 'generate', text: action.generate })
    }
  }
  return undefined
}

function writeSummary(run: MachineRun, state: string, path: string): void {
  const delivered = deliveredOutput(run)
  const text = machineSummary({ ...run.record, delivered: delivered?.path ?? null }, delivered?.text)
  const order = run.record.visits.length
  run.outputs.keep({ path, agent: '', state, visit: currentVisit(run).visit, order, text, kind: 'summary' })
}
