import type { Agent } from '../../agents/agent.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { type RowAgents, rolesOf } from '../../loop/plan/row-agents.ts'
import { type AgentSet, agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { MethodTools } from '../../schema/tool/tool-set.ts'

/** Returns the methods with their tools. A method that has none stays as it is. */
export const withTools = (methods: readonly Method[], tools: ReadonlyMap<string, MethodTools>): Method[] =>
  methods.map((method) => {
    const own = tools.get(method.label)
    return own ? { ...method, tools: own } : method
  })

/** The servers of tools that a run starts: the id of each tool, and its command. */
export function toolServers({ methods }: Pick<RunManifest, 'methods'>): { id: string; command: string }[] {
  const all = methods.flatMap(({ tools }) =>
    Object.entries(tools?.known ?? {}).flatMap(([id, tool]) =>
      tool.kind === 'mcp' ? [{ id, command: tool.command.join(' ') }] : [],
    ),
  )
  return [...new Map(all.map((one) => [`${one.id} ${one.command}`, one])).values()]
}

/** Returns a note for each row that is given tools which none of its agents calls. */
export function toolUseNotes(
  run: { methods: readonly Method[]; agents: Record<string, string>; agentSets?: AgentSet[] | undefined },
  strategies: readonly KnownStrategy[],
  rows: RowAgents,
): string[] {
  return run.methods.flatMap((method) => {
    const found = strategies.find(({ strategy }) => strategy.name === method.strategy)
    if (!found || (method.tools?.given ?? []).length === 0) return []
    const roles = rolesOf(found.strategy, method.options)
    return agentSetsOf(run).flatMap(({ label }) => {
      const row = rowName(method.label, label)
      const agents = Object.entries(rows.get(row) ?? {}).flatMap(([role, agent]) =>
        roles[role] === 'produce' ? [agent] : [],
      )
      return unusedNote(row, agents)
    })
  })
}

function unusedNote(row: string, agents: readonly Agent[]): string[] {
  if (agents.length === 0 || agents.some(({ tools }) => tools === 'called')) return []
  const names = (all: readonly Agent[]) => [...new Set(all.map(({ name }) => name))].join(', ')
  const own = agents.filter(({ tools }) => tools === 'own')
  const others = agents.filter(({ tools }) => tools === undefined)
  const why = [
    ...(own.length > 0 ? [`its own tools are used by ${names(own)}`] : []),
    ...(others.length > 0 ? [`no tools are called by ${names(others)}`] : []),
  ]
  return [`${row}: the tools that it is given change nothing: ${why.join('; ')}`]
}
