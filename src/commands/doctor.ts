import { accessSync, constants, existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { agentSyntax, providers } from '../agents/registry.ts'
import { cacheFolder } from '../base/cache-folder.ts'
import { packageVersion } from '../base/package-root.ts'
import { builtInTasks } from '../loop/plan/built-in-tasks.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { findOnPath } from '../sandbox/tools/on-path.ts'
import { findTools } from '../sandbox/tools/tools.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { toolEntryProblems } from './config/config-tools.ts'
import { callAgent } from './doctor/call-agent.ts'
import { agentFindings } from './doctor/doctor-agents.ts'
import { type Finding, sandboxFindings } from './doctor/doctor-sandbox.ts'
import { readSoundConfig } from './doctor/sound-config.ts'
import { configuredPrograms } from './session/model-programs.ts'
import type { NamedTool } from './tools/select-tools.ts'
import { memoryFileNote, readDeclaredFiles, type ToolFiles } from './tools/tool-files.ts'

interface DoctorOptions {
  json?: boolean
  agents?: boolean
  call?: string
  prices?: string
  allowUnsandboxed?: boolean
  trustCode?: boolean
}

/**
 * `bench doctor`: reports what is installed, what is missing and how to get it. Exit code 0, since everything that it checks is
 * optional. Unavailable agents share a line; `--agents` gives each its own. With `--call AGENT` it asks that agent for one
 * word instead; exit code 1 if no reply came.
 */
export default async function doctor(options: DoctorOptions): Promise<number> {
  if (options.call !== undefined) {
    const write = (line: string) => process.stdout.write(`${safeLine(line)}\n`)
    return (await callAgent(options.call, options, write)) ? 0 : 1
  }
  refuseWithoutCall(options)
  const { tasks, problems } = builtInTasks()
  const tools = await findTools(['node', 'git', 'python3', 'rsvg-convert'])
  const here: Finding[] = [
    { name: 'bench', ok: true, state: packageVersion() },
    ...tools.map(({ name, found, version, path, remedy }) => ({
      name,
      ok: found,
      state: found ? `${version} (${path})` : `missing; ${consequence(name, tasks)}`,
      ...(!found && { fix: remedy }),
    })),
    {
      name: 'built-in tasks',
      ok: problems.length === 0,
      state: `${tasks.length} in ${new Set(tasks.map(({ suite }) => suite)).size} suites`,
      ...(problems.length > 0 && { fix: problems.map(({ where, what }) => `${where}: ${what}`).join('; ') }),
    },
    {
      name: 'results folder',
      ok: isWritable('results') || isWritable('.'),
      state:
        isWritable('results') || (!existsSync('results') && isWritable('.'))
          ? 'can be written'
          : 'cannot be written',
      fix: 'Name another one with --out DIR.',
    },
    { name: 'cache', ok: true, state: cacheFolder() },
    { name: 'mcp', ok: true, state: 'bench mcp serves the runs to an MCP client: see bench help mcp-server' },
    ...(await sandboxFindings()),
    ...toolFindings(),
    ...(await programFindings()),
  ]
  const agents = await agentFindings(options.trustCode === true)
  process.stdout.write(
    options.json
      ? `${JSON.stringify([...here, ...agents], null, 2)}\n`
      : doctorText({ here, agents }, options.agents === true),
  )
  return 0
}

/** Throws `UserError` for the options that only a call has. */
function refuseWithoutCall({ allowUnsandboxed, prices }: DoctorOptions): void {
  const given = [
    ...(allowUnsandboxed ? ['--allow-unsandboxed'] : []),
    ...(prices === undefined ? [] : [`--prices ${prices}`]),
  ]
  const fix = 'Leave it out, or add --call AGENT.'
  if (given.length > 0) throw new UserError(given.map((where) => ({ where, what: 'requires --call', fix })))
}

function consequence(name: string, tasks: readonly { spec: { requires: readonly string[] } }[]): string {
  if (name === 'git') return 'without it run.json records no commit'
  if (name === 'rsvg-convert') return 'bench report --format pdf requires it'
  const count = tasks.filter(({ spec }) => spec.requires.includes(name)).length
  return `${count} built-in task(s) and the humaneval import require it`
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

interface Findings {
  /** Findings about the machine and bench itself. */
  here: readonly Finding[]
  agents: readonly Finding[]
}

/** Formats a line for each finding, with the remedy below if it is missing. Missing agents that the config file does not name share one line, unless `showAll`. */
function doctorText({ here, agents }: Findings, showAll: boolean): string {
  const ready = agents.filter(({ ok }) => ok)
  const missing = agents.filter(({ ok }) => !ok)
  const shared = showAll ? [] : missing.filter(({ name }) => offered.has(name))
  const free = providers.filter(({ settings }) => !settings).map(agentSyntax)
  const rows: Finding[] = [
    ...here,
    { name: 'agents', ok: true, state: `${free.join(', ')}: require no key and no program` },
    ...ready,
    // Agents of the config file keep their own lines.
    ...missing.filter((finding) => !shared.includes(finding)),
    ...(shared.length > 0 ? [mergeFindings(shared)] : []),
  ]
  return rows.map(findingText).join('')
}

const prefix = 'agent '
const offered = new Set(providers.map((provider) => `${prefix}${agentSyntax(provider)}`))

function mergeFindings(findings: readonly Finding[]): Finding {
  const names = findings.map(({ name }) => name.slice(prefix.length)).join(', ')
  return {
    name: 'agents',
    ok: false,
    state: names,
    fix: 'bench doctor --agents shows what is missing for each of them, and how to get it.',
  }
}

function findingText({ name, ok, state, fix, optional }: Finding): string {
  const remedy = fix && !ok && !optional ? `\n${' '.repeat(26)}${fix}` : ''
  const word = ok ? 'ok     ' : optional ? 'unused' : 'missing'
  return `${word.padEnd(7)}  ${name.padEnd(16)} ${state}${remedy}\n`
}

/** Checks each tool of the config file: its files, and the program of its server, which is not started. */
function toolFindings(): Finding[] {
  const { file } = readSoundConfig() ?? {}
  if (!file) return []
  return Object.entries(file.config.tools ?? {}).map(([id, tool]) =>
    toolFinding(
      { id, tool, where: file.where('tools', id, 'config') },
      toolEntryProblems(id, tool, file.where),
    ),
  )
}

async function programFindings(): Promise<Finding[]> {
  const { file } = readSoundConfig() ?? {}
  if (!file) return []
  const programs = await configuredPrograms(file)
  return programs.map(({ label, problems }) => ({
    name: `method ${label}`,
    ok: problems.length === 0,
    state: problems.map(({ what }) => what).join('; ') || 'its program can be started',
    fix: problems.map(({ fix }) => fix).join(' '),
  }))
}

function toolFinding(named: NamedTool, wrong: readonly Problem[]): Finding {
  const { id, tool } = named
  const name = `tool ${id}`
  const problems = [...wrong]
  const files: ToolFiles = new Map()
  readDeclaredFiles(named, process.cwd(), files, problems)
  const notes = [...files.values()].flatMap((text) => memoryFileNote(named, text) ?? [])
  const [program = ''] = tool.kind === 'mcp' ? tool.config.command : []
  // A relative path is one of its files.
  const isFile = program.includes('/') && !isAbsolute(program)
  if (tool.kind === 'mcp' && !isFile && findOnPath(program) === undefined)
    problems.push({
      where: name,
      what: isAbsolute(program)
        ? `${program} is no program that can be started`
        : `its program ${program} is not on PATH`,
      fix: `Install ${program}.`,
    })
  if (problems.length === 0) return { name, ok: true, state: [stateOf(tool), ...notes].join('; ') }
  const fixes = [...new Set(problems.flatMap(({ fix }) => fix ?? []))]
  return { name, ok: false, state: problems.map(({ what }) => what).join('; '), fix: fixes.join(' ') }
}

function stateOf(tool: NamedTool['tool']): string {
  if (tool.kind === 'workspace') return `workspace: ${tool.config.allow.join(', ')}`
  if (tool.kind === 'memory')
    return `memory${tool.config.file === undefined ? '' : ` of ${tool.config.file}`}`
  return `MCP server ${tool.config.command.join(' ')}; bench run starts it in the sandbox`
}
