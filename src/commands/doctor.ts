import { accessSync, constants, existsSync } from 'node:fs'
import { agentSyntax, providers } from '../agents/registry.ts'
import { cacheFolder } from '../base/cache-folder.ts'
import { packageVersion } from '../base/package-root.ts'
import { builtInTasks } from '../loop/plan/built-in-tasks.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { findTools } from '../sandbox/tools/tools.ts'
import { UserError } from '../text/errors.ts'
import { agentFindings, callAgent } from './doctor/doctor-agents.ts'
import { type Finding, sandboxFindings } from './doctor/doctor-sandbox.ts'
import { toolFindings } from './doctor/doctor-tools.ts'

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
    ...(await sandboxFindings()),
    ...toolFindings(),
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

/** The findings of `bench doctor`. */
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
