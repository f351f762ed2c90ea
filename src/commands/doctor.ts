import { accessSync, constants, existsSync } from 'node:fs'
import { cacheFolder } from '../agents/pool-cache.ts'
import { builtInTasks } from '../loop/select-tasks.ts'
import { packageVersion } from '../package-root.ts'
import { findTools } from '../sandbox/tools.ts'
import { type Finding, sandboxFindings } from './doctor-sandbox.ts'

/** `bench doctor`: what is here, what is missing and how to get it. Exit code 0: only what nobody asked for may be missing. */
export default async function doctor(options: { json?: boolean }): Promise<number> {
  const { tasks, problems } = builtInTasks()
  const tools = await findTools(['node', 'git', 'python3'])
  const findings: Finding[] = [
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
  if (options.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else
    for (const { name, ok, state, fix } of findings)
      process.stdout.write(
        `${ok ? 'ok     ' : 'missing'}  ${name.padEnd(16)} ${state}${fix && !ok ? `\n${' '.repeat(26)}${fix}` : ''}\n`,
      )
  return 0
}

function needs(name: string, tasks: readonly { spec: { requires: readonly string[] } }[]): string {
  if (name === 'git') return 'run.json then names no commit'
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
