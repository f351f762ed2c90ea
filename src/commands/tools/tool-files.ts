import { readToolFiles } from '../../agent-tools/mcp/read-tool-files.ts'
import type { Agent } from '../../agents/agent.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { type RowAgents, rolesOf } from '../../loop/plan/row-agents.ts'
import { type AgentSet, agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { longestMemoryFile } from '../../schema/tool/tool.ts'
import type { MethodTools, ResolvedTool } from '../../schema/tool/tool-set.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import type { NamedTool } from './select-tools.ts'

/** The contents of the files that tools declare, by their SHA-256. */
export type ToolFiles = Map<string, string>

/** Reads the files that a tool declares. Adds every problem, with the place of the tool. */
export function readDeclaredFiles(
  { id, tool, where }: NamedTool,
  cwd: string,
  files: ToolFiles,
  problems: Problem[],
): { path: string; digest: string }[] {
  const isMemory = tool.kind === 'memory'
  const field = isMemory ? 'file' : 'files'
  const read = readToolFiles(cwd, declaredPaths(tool), `${where}.${field}`)
  problems.push(...read.problems)
  const [first] = read.digests
  // A folder is read as its files.
  if (isMemory && first && first.path !== withoutDots(tool.config.file))
    problems.push(
      problemAt(`${where}.file`, `${tool.config.file} is a folder`, `Name one text file for ${id}.`),
    )
  for (const { path, digest } of read.digests) files.set(digest, read.files[path] as string)
  return read.digests
}

/** Says of a memory's file that nothing, or not all of it, can be recalled; undefined where all can. */
export function memoryFileNote({ tool }: NamedTool, text: string): string | undefined {
  if (tool.kind !== 'memory') return undefined
  if (text.trim() === '') return `${tool.config.file} is empty, so nothing can be recalled from it`
  return text.length > longestMemoryFile
    ? `${tool.config.file} has ${text.length} characters; only the first ${longestMemoryFile} are searched`
    : undefined
}

const withoutDots = (path = '') => path.replace(/^(\.\/)+/, '')

function declaredPaths(tool: NamedTool['tool']): readonly string[] {
  if (tool.kind === 'mcp') return tool.config.files
  return tool.kind === 'memory' && tool.config.file !== undefined ? [tool.config.file] : []
}

/**
 * Reads the files of all tools of a run again, from its working folder. Throws `UserError` with every file that is gone or has
 * changed since the run began.
 */
export function rereadToolFiles({ methods, cwd }: Pick<RunManifest, 'methods' | 'cwd'>): ToolFiles {
  const files: ToolFiles = new Map()
  const problems = new Map<string, Problem>()
  for (const { tools } of methods)
    for (const [id, tool] of Object.entries(tools?.known ?? {}))
      for (const { path, digest } of filesOf(tool)) {
        if (files.has(digest)) continue
        const text = readToolFiles(cwd, [path]).files[path]
        if (text !== undefined && sha256(text) === digest) files.set(digest, text)
        else problems.set(path, changedProblem(id, path, cwd, text === undefined))
      }
  if (problems.size > 0) throw new UserError([...problems.values()])
  return files
}

const changedProblem = (id: string, path: string, cwd: string, isGone: boolean): Problem => ({
  where: `tool ${id}, file ${path}`,
  what: isGone ? 'can no longer be read' : 'has changed since the run began',
  fix: `Restore it in ${cwd}, or start a new run.`,
})

function filesOf(tool: ResolvedTool): readonly { path: string; digest: string }[] {
  if (tool.kind === 'mcp') return tool.files
  return tool.kind === 'memory' && tool.file ? [tool.file] : []
}

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
