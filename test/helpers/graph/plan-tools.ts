import type { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { defaultToolTurns, type MethodTools, type ResolvedTool } from '../../../src/schema/tool/tool-set.ts'

/** Returns the tools of a plan as a run has them; a plan without servers and files needs nothing else. */
export function planTools({ tools = {} }: GraphPlan): MethodTools {
  const known = Object.entries(tools).map(([id, tool]): [string, ResolvedTool] => {
    if (tool.kind === 'workspace') return [id, { kind: 'workspace', allow: tool.config.allow }]
    if (tool.kind === 'memory' && tool.config.file === undefined) return [id, { kind: 'memory' }]
    throw new Error(`tool ${id} needs more than its configuration`)
  })
  return { known: Object.fromEntries(known), given: [], turns: defaultToolTurns }
}
