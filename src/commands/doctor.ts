import { accessSync, constants, existsSync } from 'node:fs'
import { cacheFolder } from '../cache-folder.ts'
import { builtInTasks } from '../loop/built-in-tasks.ts'
import { packageVersion } from '../package-root.ts'
import { safeLine } from '../reports/safe-text.ts'
import { findTools } from '../sandbox/tools.ts'
import { agentFindings, callAgent } from './doctor-agents.ts'
import { type Finding, sandboxFindings } from './doctor-sandbox.ts'
import { doctorText } from './doctor-text.ts'

/**
 * `bench doctor`: what is here, what is missing and how to get it. Exit code 0: only what nobody asked for may be missing.
 * Agents that are missing share a line; `--agents` gives each its own. With `--call AGENT` it asks that agent for one word
 * instead; exit code 1 when no reply came.
 */
export default async function doctor(options: {
  json?: boolean
  agents?: boolean
  call?: string
}): Promise<number> {
  if (options.call !== undefined) {
    const replied = await callAgent(options.call, (line) => process.stdout.write(`${safeLine(line)}\n`))
    return replied ? 0 : 1
  }
  const { tasks, problems } = builtInTasks()
  const tools = await findTools(['node', 'git', 'python3', 'rsvg-convert'])
  const here: Finding[] = [
    { name: 'bench', ok: true, state: packageVersion() },
    ...tools.map(({ name, found, version, path, remedy }) => ({
      name,
      ok: found,
      state: found ? `${version} (${path})` : `missing; ${needs(name, tasks)}`,
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
      fix: 'Give another one with --out DIR.',
    },
    { name: 'cache', ok: true, state: cacheFolder() },
    ...(await sandboxFindings()),
  ]
  const agents = await agentFindings()
  process.stdout.write(
    options.json
      ? `${JSON.stringify([...here, ...agents], null, 2)}\n`
      : doctorText({ here, agents }, options.agents === true),
  )
  return 0
}

function needs(name: string, tasks: readonly { spec: { requires: readonly string[] } }[]): string {
  if (name === 'git') return 'run.json then names no commit'
  if (name === 'rsvg-convert') return 'bench report --format pdf needs it'
  const count = tasks.filter(({ spec }) => spec.requires.includes(name)).length
  return `${count} built-in task(s) and the humaneval import need it`
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
