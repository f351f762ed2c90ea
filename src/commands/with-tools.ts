import type { Problem } from '../errors.ts'
import { findTools } from '../sandbox/tools.ts'
import type { Task } from '../schema/task.ts'

/** Leaves out tasks whose tools are missing, and says so before the run: they are not run, which is no failure. */
export async function withTools(
  tasks: readonly Task[],
  problems: Problem[],
): Promise<{ tasks: Task[]; warnings: string[] }> {
  const required = [...new Set(tasks.flatMap(({ spec }) => spec.requires))]
  const missing = (await findTools(required)).filter(({ found }) => !found)
  const left = tasks.filter(({ spec }) => !missing.some(({ name }) => spec.requires.includes(name)))
  const warnings = missing.map(({ name, remedy }) => {
    const count = tasks.filter(({ spec }) => spec.requires.includes(name)).length
    return `${count} task(s) are not run: they require ${name}, which is not here. ${remedy}`
  })
  if (left.length === 0 && tasks.length > 0)
    problems.push({ where: '--tasks', what: 'no task can be run', fix: warnings.join(' ') })
  return { tasks: left, warnings }
}
