import type { MachineState } from '../../../schema/machine/states.ts'
import { addGuidance } from './guidance.ts'
import type { MachineRun, Outcome } from './machine-run.ts'
import type { StateInput } from './state-inputs.ts'

/** Shows a person the texts of a state, and takes the transition of the answer. Feedback guides the state that follows. */
export async function askPerson(
  run: MachineRun,
  asked: {
    name: string
    state: Extract<MachineState, { type: 'human-approval' }>
    guidance: string
    inputs: readonly StateInput[]
  },
): Promise<Outcome> {
  const { name, state, guidance, inputs } = asked
  const { decision, feedback } = await run.context.approve(state.prompt ?? `Approve ${name}?`, {
    show: {
      ...Object.fromEntries(inputs.map(({ path, text }) => [path, text])),
      ...(guidance !== '' && { guidance }),
    },
    onAbort: 'return',
  })
  run.record.approvals.push({ state: name, decision, feedback })
  run.isAborted = decision === 'abort'
  const next = state.transitions[decision]
  if (decision === 'feedback') addGuidance(run, next, 'approval', feedback)
  return { result: decision, next }
}
