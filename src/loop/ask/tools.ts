import { type CallableTool, callableTools } from '../../agent-tools/definitions.ts'
import type { OpenServers } from '../../agent-tools/servers.ts'
import type { AgentReply } from '../../agents/agent.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import type { MethodTools, ResolvedTool, ToolDefinition } from '../../schema/tool/tool-set.ts'
import type { CheckResult, FileEdit } from '../../strategy.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { didYouMean } from '../../text/near-word.ts'
import type { Branch, TrialState } from '../branch/trial-state.ts'
import type { State } from '../branch/workspace.ts'
import type { AskTurn, Attempt } from './agent-request.ts'

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
  { plan: { trial } }: TrialState,
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

/** A call as its repetitions are counted. */
export interface CountedCall {
  /** Equal for calls with the same tool and arguments on the same files and notes. */
  same: string
  /** The tool's server, if its answers depend on more than that. */
  server: string | undefined
}

/** How often the same call is made while nothing changes. */
const mostEqualCalls = 2

/** After so many turns in a row with nothing but repeated calls an agent must answer: each further one would only cost. */
export const mostRepeatedTurns = 3

/**
 * Opens a count. A server with a state is a source of changes itself: only its latest calls count, as long as they are equal and their
 * answers are, too.
 */
export function countRepeats() {
  const counts = new Map<string, number>()
  const latest = new Map<string, { same: string; answer: string; count: number }>()
  return {
    /** Whether a call was made so often that it is not made again. */
    isRepeated({ same, server }: CountedCall): boolean {
      if (server === undefined) return (counts.get(same) ?? 0) >= mostEqualCalls
      const last = latest.get(server)
      return last?.same === same && last.count >= mostEqualCalls
    },
    /** Counts a call that was made, with what the agent got. */
    add({ same, server }: CountedCall, answer: string): void {
      if (server === undefined) {
        counts.set(same, (counts.get(same) ?? 0) + 1)
        return
      }
      const last = latest.get(server)
      const isEqual = last?.same === same && last.answer === answer
      latest.set(server, { same, answer, count: isEqual ? last.count + 1 : 1 })
    },
  }
}

/** Returns the arguments of a call in a form that is the same for equal ones. */
export function equalArguments(text: string): string {
  try {
    return canonicalJson(JSON.parse(text.trim() || '{}') ?? {})
  } catch {
    // What a model wrote may be no JSON, or more than JSON can hold.
    return text
  }
}

/** Returns the reply of a turn, whose calls may be made: one that failed has none, and in the last turn they are an error. */
export function checkCalls(reply: AgentReply, { tools }: AskTurn): AgentReply {
  const { toolCalls, message, ...others } = reply
  if (toolCalls === undefined || toolCalls.length === 0 || reply.error) return others
  if (!tools.mustAnswer) return reply
  return { ...others, error: lateCallsError(toolCalls, tools.turns.length) }
}

/** The error of an agent that calls tools in its last turn. */
export function lateCallsError(calls: readonly { name: string }[], turns: number) {
  const names = calls.map(({ name }) => name).join(', ')
  return {
    reason: 'tools' as const,
    message: `called ${names} in its last turn, after ${turns === 1 ? '1 turn' : `${turns} turns`} with calls, instead of answering`,
  }
}

/** What the calls of an ask share. */
export interface Desk {
  trialState: TrialState
  branch: Branch
  ask: Attempt
  tools: AskTools
  draft: State
  servers: OpenServers
  fileText(digest: string): string | undefined
  repeats: ReturnType<typeof countRepeats>
  /** Tools whose server had a state that only a recorded call knew. */
  lostStates: Set<string>
}

/** A call that is made now. */
export interface OwnCall {
  call: ToolCall
  key: string
  hash: string
  /** The branch's clock before it. */
  at: number
  tool: CallableTool | undefined
  isRepeated: boolean
  /** It came after the most calls that a turn may make. */
  isSurplus: boolean
  checked: CheckResult | undefined
}

/** A call that was made: its step, what the agent gets, and what it changed. */
export interface MadeCall {
  step: ToolStep
  text: string
  edits: readonly FileEdit[]
}
