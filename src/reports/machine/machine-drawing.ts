import type { MachineState } from '../../schema/machine/states.ts'

/** A step from a state to another, with all results that lead there. */
interface DrawnTransition {
  labels: string[]
  to: string
}

/** Returns where a state leads, each state once, in the order of the file. */
export function drawnTransitions(state: MachineState): DrawnTransition[] {
  if (state.type === 'terminal') return []
  const all = resultsOf(state)
  const drawn: DrawnTransition[] = []
  for (const [label, to] of Object.entries(all)) {
    const same = drawn.find((one) => one.to === to)
    if (same) same.labels.push(label)
    else if (to !== undefined) drawn.push({ labels: [label], to })
  }
  return drawn
}

/** Returns the next state of each result; of those with a default too. */
function resultsOf(state: Exclude<MachineState, { type: 'terminal' }>): Record<string, string | undefined> {
  if (state.type === 'initial') return { next: state.next }
  if (state.type !== 'fan-out') return state.transitions
  const { all_success, partial_success = all_success, all_failure } = state.transitions
  return { all_success, partial_success, all_failure }
}

/** Returns the type of a state in words. */
export function typeText(state: MachineState): string {
  if (state.type === 'single') return 'proceed' in state.transitions ? 'quality gate' : 'single'
  return state.type === 'terminal' && state.error ? 'terminal, failed' : state.type
}

/** Returns who works in a state; empty if nobody does. */
export function workersText(state: MachineState): string {
  if (state.type === 'fan-out') return state.agents.join(', ')
  if (state.type === 'single') return state.agent
  if (state.type === 'orchestrator-task') return 'orchestrator'
  return state.type === 'human-approval' ? 'a person' : ''
}
