import { type CallableTool, callableTools } from '../../../agent-tools/definitions.ts'
import type { MethodTools, ResolvedTool, ToolDefinition } from '../../../schema/tool/tool-set.ts'
import { didYouMean } from '../../../text/near-word.ts'
import type { TrialState } from '../../state/trial-state.ts'
import type { Attempt } from '../agent-request.ts'

/** The tools of one ask. */
export interface AskTools {
  byName: ReadonlyMap<string, CallableTool>
  definitions: readonly ToolDefinition[]
  /** The most turns, the answer included. */
  turns: number
}

/**
 * Returns the tools that an ask's agent may call: those that each `produce` role has, and those that the ask names. Undefined where
 * there are none, where the method's `none` took them away, and for an agent that calls none of bench. Throws for an id that is no
 * tool of the method.
 */
export function toolsOfAsk(
  { trial }: TrialState,
  { role, work, agent, options }: Attempt,
): AskTools | undefined {
  const { tools } = trial.cell.method
  if (tools && Object.keys(tools.known).length === 0) return undefined
  const names = new Set([...(work === 'produce' ? (tools?.given ?? []) : []), ...(options?.tools ?? [])])
  const named = [...names].map((name) => {
    const found = findTool(name, tools)
    if (!found) throw unknownTool(role, name, tools)
    return found
  })
  if (!tools || agent.tools !== 'called') return undefined
  const byName = new Map<string, CallableTool>()
  for (const { id, tool } of named)
    for (const one of callableTools(id, tool, work))
      if (!byName.has(one.definition.name)) byName.set(one.definition.name, one)
  if (byName.size === 0) return undefined
  return { byName, definitions: [...byName.values()].map(({ definition }) => definition), turns: tools.turns }
}

/** Returns a tool of the method by its id, or one of the workspace tools that it is given, by its word. */
function findTool(
  name: string,
  tools: MethodTools | undefined,
): { id: string; tool: ResolvedTool } | undefined {
  const known = new Map(Object.entries(tools?.known ?? {}))
  const tool = known.get(name)
  if (tool) return { id: name, tool }
  const workspace = known.get(workspaceId)
  const allow = workspace?.kind === 'workspace' ? workspace.allow.filter((word) => word === name) : []
  return allow.length > 0 ? { id: workspaceId, tool: { kind: 'workspace', allow } } : undefined
}

/** Id of the workspace tools that `--tools` gives. */
const workspaceId = 'workspace'

function unknownTool(role: string, id: string, tools: MethodTools | undefined): Error {
  const known = Object.entries(tools?.known ?? {})
  const words = known.flatMap(([name, tool]) =>
    name === workspaceId && tool.kind === 'workspace' ? [name, ...tool.allow] : [name],
  )
  const near = didYouMean(id, words, '"')
  const list = words.length > 0 ? `It has: ${words.join(', ')}.` : 'It has none.'
  return new Error(
    `[strategy] ask("${role}"): the method has no tool "${id}". ${near ?? list} Declare it in the method's document or in \`tools\` of the config file, or give it with --tools.`,
  )
}
