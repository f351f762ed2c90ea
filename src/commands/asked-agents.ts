import type { Agent } from '../agents/agent.ts'
import type { KnownStrategy } from '../loop/methods.ts'
import { roleNames } from '../loop/roles-of.ts'
import { agentSetsOf, rowName } from '../schema/agent-set.ts'
import type { RunManifest } from '../schema/run.ts'

/** Who answers in the trials of one row: a method with one set of agents. */
export interface AskedRow {
  name: string
  agents: Agent[]
}

/** By row, the agents that some role of the method asks. An agent that is named and that no role asks is not among them. */
export function askedRows(
  run: Pick<RunManifest, 'agents' | 'agentSets' | 'methods'>,
  strategies: readonly KnownStrategy[],
  made: ReadonlyMap<string, Agent>,
): AskedRow[] {
  return run.methods.flatMap((method) =>
    agentSetsOf(run).map((set) => {
      const names: Record<string, string> = { ...set.agents, ...method.agents }
      const agents = roleNames(method, strategies).flatMap(
        (role) => made.get(names[role] ?? names['*'] ?? '') ?? [],
      )
      return { name: rowName(method.label, set.label), agents: [...new Set(agents)] }
    }),
  )
}
