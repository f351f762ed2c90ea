import type { KindOfWork } from '../../ask.ts'
import type { DocumentAgent } from '../../schema/agent/document-agent.ts'
import type { Machine } from '../../schema/machine/machine.ts'
import { isAsking, orchestratorRole, rolesOfState, workOfState } from './state-facts.ts'

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
