import type { Machine } from '../../schema/machine/machine.ts'
import type { Flow, MachineNode } from '../../schema/method/declaration.ts'
import { initialState, isAsking, nextStates, orchestratorRole, rolesOfState, stateOf } from './state-facts.ts'

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
