import { type CallableTool, callableTools } from '../../../agent-tools/definitions.ts'
import type { MethodTools, ToolDefinition } from '../../../schema/tool/tool-set.ts'
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
  const ids = new Set([...(work === 'produce' ? (tools?.given ?? []) : []), ...(options?.tools ?? [])])
  for (const id of ids) if (!tools || !Object.hasOwn(tools.known, id)) throw unknownTool(role, id, tools)
  if (!tools || agent.tools !== 'called') return undefined
  const byName = new Map<string, CallableTool>()
  for (const id of ids)
    for (const one of callableTools(id, tools.known[id] as MethodTools['known'][string], work))
      if (!byName.has(one.definition.name)) byName.set(one.definition.name, one)
  if (byName.size === 0) return undefined
  return { byName, definitions: [...byName.values()].map(({ definition }) => definition), turns: tools.turns }
}

function unknownTool(role: string, id: string, tools: MethodTools | undefined): Error {
  const known = Object.keys(tools?.known ?? {})
  const near = didYouMean(id, known, '"')
  const list = known.length > 0 ? `It has: ${known.join(', ')}.` : 'It has none.'
  return new Error(
    `[strategy] ask("${role}"): the method has no tool "${id}". ${near ?? list} Declare it in the method's document or in \`tools\` of the config file, or give it with --tools.`,
  )
}
