import type { Problem } from '../../../text/errors.ts'
import { asMap, type RawMap } from '../../../yaml/raw.ts'
import type { FieldProblem } from '../../../yaml/schema-problems.ts'
import { checkActions } from './check-actions.ts'
import { checkAgents } from './check-agents.ts'
import { checkBreaker } from './check-breaker.ts'
import { checkInputs } from './check-inputs.ts'
import { checkOutputs } from './check-outputs.ts'
import { checkPaths } from './check-paths.ts'
import { checkPersonas } from './check-personas.ts'
import { checkTransitions } from './check-transitions.ts'
import { listStates } from './list-states.ts'
import type { Beside } from './surroundings.ts'

/**
 * Returns the mistakes of a machine that its schema cannot see, and those in its personas, which have places of their own. It need not
 * have passed the schema: whatever has a wrong type is passed over, and so is what depends on it.
 */
export function checkMachine(
  machine: RawMap,
  beside: Beside,
): { found: FieldProblem[]; inPersonas: Problem[] } {
  const found: FieldProblem[] = []
  const add = (path: readonly PropertyKey[], what: string, fix?: string) => {
    found.push({ path, what, ...(fix !== undefined && { fix }) })
  }
  const sites = listStates(machine)
  const states = asMap(machine.states)
  checkAgents(machine, sites, beside, add)
  checkActions(sites, add)
  checkTransitions(sites, Object.keys(states ?? {}), add)
  // States of which none is a map are told by the schema.
  if (sites.length > 0 || (states && Object.keys(states).length === 0)) checkPaths(sites, add)
  checkOutputs(sites, beside.lineOf, add)
  checkInputs(machine, sites, add)
  checkBreaker(machine, add)
  const inPersonas = checkPersonas(machine, sites, beside, add)
  return { found, inPersonas }
}
