import { availableParallelism } from 'node:os'
import pMap from 'p-map'
import { proveTask, type TaskProof } from '../../loop/proof/prove-task.ts'
import { lazySandbox } from '../../sandbox/open-sandbox.ts'
import { findTools, type Tool } from '../../sandbox/tools/tools.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { reportNote } from '../terminal/report-error.ts'
import { parseWholeNumber } from '../values/parse-values.ts'
import { everyBuiltIn } from './every-built-in.ts'
import { type SelectionOptions, selectFiltered } from './select-filtered.ts'

/** `bench tasks check [selection]` proves tasks. The exit code is 1 if a proof fails. */
export default async function check(
  selection: string | undefined,
  options: SelectionOptions & { json?: boolean; parallel?: string },
): Promise<number> {
  const problems: Problem[] = []
  const concurrency = parseWholeNumber(problems, '--parallel', options.parallel, availableParallelism())
  if (problems.length > 0) throw new UserError(problems)
  const { tasks, notes } = await selectFiltered(selection ?? everyBuiltIn, options)
  for (const note of notes) reportNote(note)
  const missing = (await findTools([...new Set(tasks.flatMap(({ spec }) => spec.requires))])).filter(
    ({ found }) => !found,
  )
  const signal = new AbortController().signal
  const sandbox = lazySandbox('auto')
  const prove = async (task: Task) => {
    const missingTools = missing.filter(({ name }) => task.spec.requires.includes(name))
    const proof =
      missingTools.length > 0 ? skippedProof(task, missingTools) : await proveTask(task, sandbox.run, signal)
    if (!options.json) process.stdout.write(`${lineOf(proof)}\n`)
    return proof
  }
  const proofs = await pMap(tasks, prove, { concurrency })
  const failed = proofs.filter(({ ok }) => !ok).length
  const sorted = proofs.sort((a, b) => (a.task < b.task ? -1 : 1))
  process.stdout.write(
    options.json
      ? `${JSON.stringify(sorted, null, 2)}\n`
      : `${proofs.length - failed} of ${proofs.length} tasks proved: the reference solves them, and an empty answer fails\n`,
  )
  return failed > 0 ? 1 : 0
}

function skippedProof({ ref }: Task, missingTools: readonly Tool[]): TaskProof {
  const reasons = missingTools.map(({ name, remedy }) => `${name} is missing. ${remedy}`)
  return { task: ref, ok: false, reason: `not run: ${reasons.join(' ')}` }
}

const lineOf = ({ ok, task, reason }: TaskProof) =>
  `${ok ? 'ok    ' : 'FAILED'}  ${task}${reason ? `: ${reason}` : ''}`
