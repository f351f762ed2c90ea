import { availableParallelism } from 'node:os'
import { clearLine, cursorTo } from 'node:readline'
import { faultText, type TaskProof } from '../../loop/proof/proof-round.ts'
import { counted } from '../../reports/words/numbers.ts'
import { lazySandbox } from '../../sandbox/open-sandbox.ts'
import { findTools, type Tool } from '../../sandbox/tools/tools.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { reportNote } from '../terminal/report-error.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import { foreignInTables } from '../trust/grader-code.ts'
import { requireTrust } from '../trust/require-trust.ts'
import { parseWholeNumber } from '../values/parse-values.ts'
import { proofText } from './proof-text.ts'
import { everyBuiltIn, type SelectionOptions, selectFiltered } from './select-filtered.ts'

interface CheckOptions extends SelectionOptions {
  json?: boolean
  parallel?: string
  quick?: boolean
  mutants?: string
  trustCode?: boolean
}

/** Small errors that are generated in each reference. More take longer. */
const usualMutants = 4

/** `bench tasks check [selection]` proves tasks. The exit code is 1 if a proof fails, or if no task could be run. */
export default async function check(selection: string | undefined, options: CheckOptions): Promise<number> {
  const problems: Problem[] = []
  const concurrency = parseWholeNumber(problems, '--parallel', options.parallel, availableParallelism())
  const generate = parseWholeNumber(
    problems,
    '--mutants',
    options.mutants,
    options.quick ? 0 : usualMutants,
    0,
  )
  const seed = parseWholeNumber(problems, '--seed', options.seed, 1, 0)
  if (problems.length > 0) throw new UserError(problems)
  const { tasks, notes, programs } = await selectFiltered(selection ?? everyBuiltIn, options)
  for (const note of notes) reportNote(note)
  const { signal } = new AbortController()
  await requireTrust(foreignInTables(programs), { trusted: options.trustCode === true, signal })
  const required = [...new Set(tasks.flatMap(({ spec }) => spec.requires))]
  const missing = (await findTools(required)).filter(({ found }) => !found)
  const missingOf = ({ spec }: Task) => missing.filter(({ name }) => spec.requires.includes(name))
  const runnable = tasks.filter((task) => missingOf(task).length === 0)
  const { run } = lazySandbox('auto')
  const progress = proofProgress(process.stderr)
  const { proveTasks } = await import('../../loop/proof/prove-tasks.ts')
  const proofs = await proveTasks(runnable, {
    ...{ run, signal, concurrency, generate, seed },
    twice: options.quick !== true,
    onProgress: progress.show,
  }).finally(progress.end)
  const skipped = tasks
    .filter((task) => !runnable.includes(task))
    .map((task) => notRun(task, missingOf(task)))
  const all = [...proofs, ...skipped].sort((a, b) => (a.task < b.task ? -1 : 1))
  process.stdout.write(
    options.json
      ? `${JSON.stringify(all.map(withOk), null, 2)}\n`
      : proofText(all, { rounds: options.quick ? 1 : 2, generate }, terminalWidth()),
  )
  if (runnable.length === 0 && tasks.length > 0)
    reportNote(`${counted(tasks.length, 'task')} could not be run, so nothing is proved`)
  return runnable.length === 0 || proofs.some(({ state }) => state !== 'proved') ? 1 : 0
}

const withOk = (proof: TaskProof) => ({ ...proof, reason: faultText(proof), ok: proof.state === 'proved' })

function notRun({ ref }: Task, missing: readonly Tool[]): TaskProof {
  const faults = missing.map(({ name, remedy }) => ({ what: `${name} is missing`, details: '', fix: remedy }))
  return { task: ref, state: 'not run', faults, warnings: [] }
}

/** Lines in a log come at most this often; ms. */
const logMs = 10_000

/** Shows how many tasks are proved: as a line that is replaced on a terminal, else as a line now and then. */
function proofProgress(output: NodeJS.WriteStream) {
  const live = output.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
  let last = Date.now()
  const clear = () => {
    if (!live) return
    clearLine(output, 0)
    cursorTo(output, 0)
  }
  return {
    show(round: number, done: number, of: number): void {
      const text = `round ${round}: ${done} of ${of} ${of === 1 ? 'task' : 'tasks'} graded`
      clear()
      if (live) output.write(text)
      else if (Date.now() - last >= logMs) {
        last = Date.now()
        output.write(`${text}\n`)
      }
    },
    end: clear,
  }
}
