import type { Agent } from '../agents/agent.ts'
import { areSimulated, isSimulated } from '../agents/what-answers.ts'
import type { Problem } from '../errors.ts'
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

/** Rows with simulated agents beside rows without any: their numbers may not stand in one table, so they are two runs. */
export function mixedRows(rows: readonly AskedRow[]): Problem[] {
  const simulated = rows.filter(({ agents }) => areSimulated(agents))
  const live = rows.filter(({ agents }) => agents.length > 0 && !areSimulated(agents))
  const [one, other] = [simulated[0], live[0]]
  if (!one || !other) return []
  const named = one.agents.find(isSimulated)?.name
  return [
    {
      where: '--agents',
      what: `${one.name} asks ${named}, whose numbers are made up, and ${other.name} asks no such agent: they cannot stand in one table`,
      fix: 'Run them apart.',
    },
  ]
}
