import { resolveMcpTool } from '../../agent-tools/mcp/resolve-mcp-tool.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { MethodTools, ResolvedMcpTool, ResolvedTool } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { toolProblems } from '../agents/recorded-agents.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { type NamedTool, type SelectedTools, selectTools } from '../tools/select-tools.ts'
import {
  memoryFileNote,
  readDeclaredFiles,
  type ToolFiles,
  toolUseNotes,
  withTools,
} from '../tools/tool-files.ts'
import type { CreatedAgents, NamedAgents } from './new-agents.ts'

/** Reads the tools that are given to methods. Adds every problem. */
export const readGivenTools = (
  given: MergedOptions,
  methods: Parameters<typeof selectTools>[1],
  problems: Problem[],
): ReadTools => readTools(selectTools(given, methods, problems), process.cwd(), problems)

/** Starts the servers of tools, and gives the methods their tools. Throws `UserError` if a tool is wrong. */
export async function equip(
  {
    named,
    strategies,
    rows,
    chosenTools,
  }: { named: NamedAgents; chosenTools: ReadTools; strategies: KnownStrategy[] } & Pick<
    CreatedAgents,
    'rows'
  >,
  parts: Parameters<typeof resolveTools>[1],
  problems: Problem[],
): Promise<{ equipped: NamedAgents; notes: string[] }> {
  const { tools, notes } = await resolveTools(chosenTools, parts, problems)
  if (problems.length > 0) throw new UserError(problems)
  const equipped = { ...named, methods: withTools(named.methods, tools) }
  problems.push(...toolProblems(equipped.methods, rows))
  if (problems.length > 0) throw new UserError(problems)
  return { equipped, notes: [...notes, ...chosenTools.notes, ...toolUseNotes(equipped, strategies, rows)] }
}

/** The tools of a run's methods that need no program, with the files of all, and the servers that are still to be asked. */
interface ReadTools {
  selected: SelectedTools
  files: ToolFiles
  resolved: Map<string, ResolvedTool>
  servers: readonly (NamedTool & { tool: { kind: 'mcp' } })[]
  /** What to say before the run: tools that reach no role, files of which not all can be recalled. */
  notes: readonly string[]
}

/** Reads what the tools of all methods need, each tool once. Starts nothing. Adds every problem. */
export function readTools(selected: SelectedTools, cwd: string, problems: Problem[]): ReadTools {
  const all = [...selected.byMethod.values()].flatMap(({ known }) => [...known.values()])
  const distinct = new Map(all.map((one) => [keyOf(one), one]))
  const files: ToolFiles = new Map()
  const notes = [...selected.notes]
  const resolved = new Map<string, ResolvedTool>()
  const servers: (NamedTool & { tool: { kind: 'mcp' } })[] = []
  for (const [key, one] of distinct) {
    const { tool } = one
    const [file] = readDeclaredFiles(one, cwd, files, problems)
    const note = file && memoryFileNote(one, files.get(file.digest) ?? '')
    if (note !== undefined) notes.push(`tool ${one.id}: ${note}`)
    if (tool.kind === 'mcp') servers.push({ ...one, tool })
    else if (tool.kind === 'memory') resolved.set(key, { kind: 'memory', ...(file && { file }) })
    else resolved.set(key, { kind: 'workspace', allow: tool.config.allow })
  }
  return { selected, files, resolved, servers, notes }
}

/**
 * Starts each server once to see its tools. Returns the tools of each method, by label, and notes for the user. Adds every problem, also of
 * tools with secrets.
 */
export async function resolveTools(
  { selected, files, resolved, servers }: ReadTools,
  {
    cwd,
    sandbox,
    signal,
    redact,
  }: { cwd: string; sandbox: SandboxRun; signal: AbortSignal; redact: Redactor | undefined },
  problems: Problem[],
): Promise<{ tools: ReadonlyMap<string, MethodTools>; notes: string[] }> {
  const notes: string[] = []
  const whole = new Map(resolved)
  for (const server of servers) {
    const { id, tool, where } = server
    const secret = redact && secretSettings(server, redact)
    if (secret) {
      problems.push(secret)
      continue
    }
    const found = await resolveMcpTool(id, tool, { cwd, sandbox, where, signal })
    if ('problems' in found) problems.push(...found.problems)
    else {
      notes.push(...found.notes)
      problems.push(...changedFiles(found.tool, files, where))
      whole.set(keyOf(server), found.tool)
    }
  }
  const named = [...selected.byMethod.values()].flatMap(({ known }) => [...known.values()])
  for (const [key, { id, where }] of new Map(named.map((one) => [keyOf(one), one]))) {
    const tool = whole.get(key)
    if (tool && redact) problems.push(...toolSecretProblems({ id, tool, where }, redact))
  }
  const tools = new Map(
    [...selected.byMethod].map(([label, { given, known }]) => {
      const tools = [...known].flatMap(([id, one]) => {
        const tool = whole.get(keyOf(one))
        return tool ? [[id, tool] as const] : []
      })
      return [label, { known: Object.fromEntries(tools), given: [...given], turns: selected.turns }]
    }),
  )
  problems.push(...sameNames(tools, selected))
  return { tools, notes }
}

/** Returns a problem for each name by which models would call tools of two servers of one method: one of them would never be called. */
function sameNames(tools: ReadonlyMap<string, MethodTools>, { byMethod }: SelectedTools): Problem[] {
  const found = new Map<string, Problem>()
  for (const [label, { known }] of tools) {
    const byName = new Map<string, { id: string; original: string }>()
    for (const [id, tool] of Object.entries(known)) {
      for (const { name, original } of tool.kind === 'mcp' ? tool.definitions : []) {
        const first = byName.get(name)
        if (!first) byName.set(name, { id, original })
        else if (first.id !== id) {
          const named = ({ id, original }: { id: string; original: string }) =>
            `${JSON.stringify(original)} of ${id}`
          const what = `the tools ${named(first)} and ${named({ id, original })} have one name for models: ${name}`
          const where = byMethod.get(label)?.known.get(id)?.where ?? id
          found.set(`${where} ${what}`, { where, what, fix: `Give ${id} another id.` })
        }
      }
    }
  }
  return [...found.values()]
}

const keyOf = ({ id, tool }: NamedTool) => canonicalJson({ id, kind: tool.kind, config: tool.config })

function changedFiles(tool: ResolvedTool, files: ToolFiles, where: string): Problem[] {
  const changed = tool.kind === 'mcp' ? tool.files.filter(({ digest }) => !files.has(digest)) : []
  return changed.map(({ path }) => ({
    where,
    what: `the file ${path} has changed while the run began`,
    fix: 'Start the run again when nothing writes to it.',
  }))
}

/**
 * Returns the problems of a tool whose texts hold a secret: they would stand in run.json and in each request, and cannot be
 * redacted, since agents call tools by them.
 */
export function toolSecretProblems(
  { id, tool, where }: { id: string; tool: ResolvedTool; where: string },
  redact: Redactor,
): Problem[] {
  const isSecret = (value: unknown) => redact.data(value) !== value
  if (!isSecret(tool)) return []
  const said = tool.kind === 'mcp' ? serverTexts(tool).filter(({ value }) => isSecret(value)) : []
  if (said.length === 0) return [settingsProblem({ id, tool, where }, redact)]
  return said.map(({ what, value, fix }) => {
    const names = secretNames(value, redact)
    return {
      where,
      what: `the server of "${id}" gives ${redact.text(what)} with the secret ${names}`,
      fix: `${redact.text(fix)}, or unset ${names} for this run.`,
    }
  })
}

/**
 * Returns the problem of a tool whose settings hold a secret, or held one before they were redacted: its server would be started
 * with other settings than the user wrote.
 */
export function secretSettings({ id, tool, where }: NamedTool, redact: Redactor): Problem | undefined {
  const isSecret = secretNames(tool.config, redact) !== ''
  return isSecret ? settingsProblem({ id, tool: tool.config, where }, redact) : undefined
}

function settingsProblem(
  { id, tool, where }: { id: string; tool: object; where: string },
  redact: Redactor,
): Problem {
  const names = secretNames(tool, redact)
  return {
    where,
    what: `the settings of the tool "${id}" hold the secret ${names}`,
    fix: `Take it out, or unset ${names} for this run.`,
  }
}

function secretNames(value: unknown, redact: Redactor): string {
  const text = JSON.stringify(redact.data(value))
  return redact.names.filter((name) => text.includes(`[redacted ${name}]`)).join(', ')
}

const serverTexts = ({ server, definitions }: ResolvedMcpTool) => [
  { what: 'itself a name or a version', value: server, fix: 'Correct the server' },
  ...definitions.flatMap(({ name, original, description, inputSchema }) => {
    const fix = `Correct the server, take ${JSON.stringify(original)} out of \`allow\``
    return [
      { what: 'a tool a name', value: [original, name], fix },
      { what: `its tool ${JSON.stringify(original)} a description`, value: description, fix },
      { what: `its tool ${JSON.stringify(original)} a schema of arguments`, value: inputSchema, fix },
    ]
  }),
]
