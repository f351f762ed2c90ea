import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { lazySandbox } from '../../../sandbox/open-sandbox.ts'
import { findTools } from '../../../sandbox/tools/tools.ts'
import { TaskSpec } from '../../../schema/task.ts'
import { loadTaskFolder } from '../../../suites/native.ts'
import { UserError } from '../../../text/errors.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { reportNote } from '../../terminal/report-error.ts'
import { terminalWidth } from '../../terminal/terminal-width.ts'
import { proofText } from '../proof-text.ts'
import { type TaskFolder, writeTask } from './write-task.ts'

/** Returns what is wrong with the id of a task. */
export const idProblem = (id: string): string | undefined =>
  TaskSpec.shape.id.safeParse(id).error?.issues[0]?.message

/** Returns the tags of a comma-separated list. */
export function tagsOf(text: string | undefined): { tags?: string[] } {
  const tags = text
    ?.split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return tags && tags.length > 0 ? { tags } : {}
}

/**
 * Writes a task and proves it. Returns 1 if the proof fails. Throws `UserError` for a task that cannot be read, whose folder is
 * then removed again.
 */
export async function finishTask(folder: string, parts: TaskFolder): Promise<number> {
  writeTask(folder, parts)
  const { tasks, problems } = loadTaskFolder(resolve(folder))
  if (problems.length > 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new UserError(problems)
  }
  const missing = (await findTools(tasks.flatMap(({ spec }) => spec.requires))).filter(({ found }) => !found)
  for (const { name, remedy } of missing) reportNote(`the task is not proved: ${name} is missing. ${remedy}`)
  const passed = missing.length > 0 || (await prove(tasks))
  const text = shellWord(`native:${folder}`)
  process.stdout.write(
    [
      `${folder} is written. Change it as you like, then:`,
      `  bench tasks check ${text}`,
      `  bench --tasks ${text} --methods baseline,sequential`,
      '',
    ].join('\n'),
  )
  return passed ? 0 : 1
}

async function prove(tasks: ReturnType<typeof loadTaskFolder>['tasks']): Promise<boolean> {
  const { proveTasks } = await import('../../../loop/proof/prove-tasks.ts')
  const { run } = lazySandbox('auto')
  const { signal } = new AbortController()
  const done = { twice: true, generate: 4, seed: 1, concurrency: 1 }
  const proofs = await proveTasks(tasks, { run, signal, ...done })
  process.stdout.write(`${proofText(proofs, { rounds: 2, generate: done.generate }, terminalWidth())}\n`)
  return proofs.every(({ state }) => state === 'proved')
}
