import type { KindOfWork } from '../../ask.ts'
import type { Machine } from '../../schema/machine/machine.ts'
import type { MachineState } from '../../schema/machine/states.ts'

/** The orchestrator's role. */
export const orchestratorRole = 'orchestrator'

type Single = Extract<MachineState, { type: 'single' }>
type Gate = Single & { transitions: Extract<Single['transitions'], { proceed: string }> }
/** A state whose agents are asked. */
export type AskingState = Extract<MachineState, { type: 'fan-out' | 'single' | 'orchestrator-task' }>

/** Whether a state is a quality gate. */
export const isGate = (state: MachineState): state is Gate =>
  state.type === 'single' && 'proceed' in state.transitions

/** Whether the agents of a state are asked. */
export const isAsking = (state: MachineState): state is AskingState =>
  state.type === 'fan-out' || state.type === 'single' || state.type === 'orchestrator-task'

/** Returns the roles that a state asks, in order. */
export function rolesOfState(state: MachineState): readonly string[] {
  if (state.type === 'fan-out') return state.agents
  if (state.type === 'single') return [state.agent]
  return state.type === 'orchestrator-task' ? [orchestratorRole] : []
}

/** Returns what the agents of a state do. */
export function workOfState(state: AskingState): KindOfWork {
  if (isGate(state)) return 'judge'
  return state.work ?? (state.scores ? 'judge' : 'produce')
}

/** Returns the states to which a state may lead, each once. */
export function nextStates(state: MachineState): string[] {
  if (state.type === 'initial') return [state.next]
  return state.type === 'terminal' ? [] : [...new Set(Object.values(state.transitions))]
}

/** Returns the path of an agent's output in a state. */
export const outputPath = ({ output }: AskingState, agent: string): string =>
  output.replaceAll('{agent}', agent)

/** Returns the state of a name, which the reader of the file has checked. */
export function stateOf({ states }: Pick<Machine, 'states'>, name: string): MachineState {
  const state = Object.hasOwn(states, name) ? states[name] : undefined
  if (!state) throw new Error(`the machine has no state "${name}"`)
  return state
}

/** Returns the name of the state in which a machine begins. */
export function initialState({ states }: Pick<Machine, 'states'>): string {
  const [name] = Object.entries(states).find(([, { type }]) => type === 'initial') ?? []
  if (name === undefined) throw new Error('the machine has no initial state')
  return name
}
