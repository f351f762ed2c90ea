import { resolveMcpTool } from '../../agent-tools/mcp/resolve-mcp-tool.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { MethodTools, ResolvedTool } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import type { NamedTool } from './named-tools.ts'
import type { SelectedTools } from './select-tools.ts'
import { readDeclaredFiles, type ToolFiles } from './tool-files.ts'
import { secretSettings, toolSecretProblems } from './tool-secrets.ts'

/** The tools of a run's methods that need no program, with the files of all, and the servers that are still to be asked. */
export interface ReadTools {
  selected: SelectedTools
  files: ToolFiles
  resolved: Map<string, ResolvedTool>
  servers: readonly (NamedTool & { tool: { kind: 'mcp' } })[]
}

/** Reads what the tools of all methods need, each tool once. Starts nothing. Adds every problem. */
export function readTools(selected: SelectedTools, cwd: string, problems: Problem[]): ReadTools {
  const all = [...selected.byMethod.values()].flatMap(({ known }) => [...known.values()])
  const distinct = new Map(all.map((one) => [keyOf(one), one]))
  const files: ToolFiles = new Map()
  const resolved = new Map<string, ResolvedTool>()
  const servers: (NamedTool & { tool: { kind: 'mcp' } })[] = []
  for (const [key, one] of distinct) {
    const { tool } = one
    const [file] = readDeclaredFiles(one, cwd, files, problems)
    if (tool.kind === 'mcp') servers.push({ ...one, tool })
    else if (tool.kind === 'memory') resolved.set(key, { kind: 'memory', ...(file && { file }) })
    else resolved.set(key, { kind: 'workspace', allow: tool.config.allow })
  }
  return { selected, files, resolved, servers }
}

/** Starts each server once to see its tools. Returns the tools of each method, by label. Adds every problem, also of tools with secrets. */
export async function resolveTools(
  { selected, files, resolved, servers }: ReadTools,
  { cwd, sandbox, redact }: { cwd: string; sandbox: SandboxRun; redact: Redactor | undefined },
  problems: Problem[],
): Promise<ReadonlyMap<string, MethodTools>> {
  const whole = new Map(resolved)
  for (const server of servers) {
    const { id, tool, where } = server
    const secret = redact && secretSettings(server, redact)
    if (secret) {
      problems.push(secret)
      continue
    }
    const found = await resolveMcpTool(id, tool, { cwd, sandbox, where })
    if ('problems' in found) problems.push(...found.problems)
    else {
      problems.push(...changedFiles(found.tool, files, where))
      whole.set(keyOf(server), found.tool)
    }
  }
  const named = [...selected.byMethod.values()].flatMap(({ known }) => [...known.values()])
  for (const [key, { id, where }] of new Map(named.map((one) => [keyOf(one), one]))) {
    const tool = whole.get(key)
    if (tool && redact) problems.push(...toolSecretProblems({ id, tool, where }, redact))
  }
  return new Map(
    [...selected.byMethod].map(([label, { given, known }]) => {
      const tools = [...known].flatMap(([id, one]) => {
        const tool = whole.get(keyOf(one))
        return tool ? [[id, tool] as const] : []
      })
      return [label, { known: Object.fromEntries(tools), given: [...given], turns: selected.turns }]
    }),
  )
}

const keyOf = ({ id, tool }: NamedTool) => canonicalJson({ id, kind: tool.kind, config: tool.config })

/** Returns a problem for each file that changed between the two times that it was read. */
function changedFiles(tool: ResolvedTool, files: ToolFiles, where: string): Problem[] {
  const changed = tool.kind === 'mcp' ? tool.files.filter(({ digest }) => !files.has(digest)) : []
  return changed.map(({ path }) => ({
    where,
    what: `the file ${path} has changed while the run began`,
    fix: 'Start the run again when nothing writes to it.',
  }))
}
