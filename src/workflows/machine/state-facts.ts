import type { KindOfWork } from '../../ask.ts'
import type { DocumentAgent } from '../../schema/agent/document-agent.ts'
import type { Machine } from '../../schema/machine/machine-file.ts'
import type { MachineState } from '../../schema/machine/states.ts'
import type { Flow, MachineNode } from '../../schema/method/declaration.ts'

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

/** Returns the transitions of a state: their results, and where they lead. */
function waysOf(state: MachineState): [result: string, to: string][] {
  if (state.type === 'initial') return [['next', state.next]]
  return state.type === 'terminal' ? [] : Object.entries(state.transitions)
}

const nextStates = (state: MachineState) => [...new Set(waysOf(state).map(([, to]) => to))]

/** Results by which nobody plans to go. */
const failures = ['failure', 'all_failure', 'halt', 'abort']

/**
 * Returns the states that a machine may still enter, and that read guidance. A failure leads to none that was entered before. The state
 * where it stands is ahead until it has begun.
 */
export function statesAhead(
  machine: Pick<Machine, 'states'>,
  { state, hasBegun }: { state: string; hasBegun: boolean },
  entered: ReadonlySet<string>,
): string[] {
  const ahead = new Set(hasBegun ? [] : [state])
  const open = [state]
  for (const name of open)
    for (const [result, to] of waysOf(stateOf(machine, name))) {
      if (ahead.has(to) || (failures.includes(result) && entered.has(to))) continue
      ahead.add(to)
      open.push(to)
    }
  const readsGuidance = (name: string) => !['initial', 'terminal'].includes(stateOf(machine, name).type)
  return Object.keys(machine.states).filter((name) => ahead.has(name) && readsGuidance(name))
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

/**
 * Returns the declared flow of a machine: who is asked in which state, and which states may follow. The orchestrator may be
 * asked after any state, and may go on from any. With `only`, that state alone.
 */
export function machineFlow(machine: Machine, only?: string): Flow {
  if (only !== undefined) return { machine: [{ ...nodeOf(machine, only), next: [] }] }
  const first = initialState(machine)
  const others = Object.keys(machine.states).filter((name) => name !== first)
  return { machine: [first, ...others].map((name) => nodeOf(machine, name)), decider: orchestratorRole }
}

function nodeOf(machine: Machine, name: string): MachineNode {
  const state = stateOf(machine, name)
  // A state asks nobody where its check fails on entry, or where nothing exists that it could score.
  const maySkip =
    isAsking(state) && (state.scores !== undefined || state.on_enter.some((action) => 'validate' in action))
  return {
    ...{ state: name, roles: rolesOfState(state), next: nextStates(state) },
    ...(maySkip && { maySkip }),
  }
}

/**
 * Returns the roles of a machine with their kinds of work: `produce` where any state lets the role produce, else the work of its
 * first state. The orchestrator decides where no state asks it. Each ask states its own work.
 */
export function machineRoles(machine: Machine): Record<string, KindOfWork> {
  const works = Object.values(machine.states)
    .filter(isAsking)
    .flatMap((state) => rolesOfState(state).map((role) => ({ role, work: workOfState(state) })))
  const workOf = (role: string): KindOfWork => {
    const own = works.filter((one) => one.role === role).map(({ work }) => work)
    return own.includes('produce') ? 'produce' : (own[0] ?? (role === orchestratorRole ? 'decide' : 'judge'))
  }
  return Object.fromEntries(
    [orchestratorRole, ...Object.keys(machine.agents)].map((role) => [role, workOf(role)]),
  )
}

/** Returns the agents that a machine names for its roles. `workflow` is the file that names them. */
export function machineAgents({ orchestrator, agents }: Machine, workflow: string): DocumentAgent[] {
  const named = [
    { role: orchestratorRole, where: `${workflow} orchestrator.agent`, name: orchestrator.agent },
    ...Object.entries(agents).map(([role, { agent: name }]) => ({
      ...{ role, where: `${workflow} agents.${role}.agent`, name },
    })),
  ]
  return named.flatMap(({ name, ...rest }) => (name === undefined ? [] : [{ ...rest, name }]))
}
