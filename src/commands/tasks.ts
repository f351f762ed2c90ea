import { availableParallelism } from 'node:os'
import pMap from 'p-map'
import { suitesByName } from '../loop/plan/built-in-tasks.ts'
import { selectTasks } from '../loop/plan/select-tasks.ts'
import { proveTask, type TaskProof } from '../loop/proof/prove-task.ts'
import { lazySandbox } from '../sandbox/open-sandbox.ts'
import { findTools, type Tool } from '../sandbox/tools/tools.ts'
import type { Task } from '../schema/task.ts'
import { importers } from '../suites/registry.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { reportNote } from './terminal/report-error.ts'
import { parseWholeNumber } from './values/parse-values.ts'

/** All built-in tasks, with those that `all` leaves out. */
const everything = ['all', ...suitesByName].join(',')

/** `bench tasks [selection]` lists tasks; `bench tasks check [selection]` proves them, with exit code 1 if a proof fails. */
export default async function tasks(
  first: string | undefined,
  second: string | undefined,
  options: { json?: boolean; parallel?: string; skipInvalid?: boolean },
): Promise<number> {
  if (first === 'check') return check(second ?? everything, options)
  if (second !== undefined)
    throw new UserError({
      where: `tasks ${first} ${second}`,
      what: 'has two selections, but only one is allowed',
      fix: 'Separate names by commas. Only `check` may be followed by a selection.',
    })
  const { tasks, notes } = await selectTasks(first ?? everything, 1, options)
  for (const note of notes) reportNote(note)
  const [only] = tasks
  if (options.json) process.stdout.write(`${JSON.stringify(tasks.map(visible), null, 2)}\n`)
  else if (first !== undefined && tasks.length === 1 && only) process.stdout.write(details(only))
  else {
    const width = Math.max(...tasks.map(({ ref }) => ref.length))
    for (const { ref, spec } of tasks)
      process.stdout.write(
        `${ref.padEnd(width)}  ${spec.output.padEnd(8)} ${(spec.properties.difficulty ?? '').toString().padEnd(4)} ${spec.title}\n`,
      )
    if (first === undefined) {
      process.stdout.write('\nTasks from your own files:\n')
      for (const { name, summary } of importers)
        process.stdout.write(`  ${`${name}:PATH[:slice]`.padEnd(26)} ${summary}\n`)
    }
  }
  return 0
}

/** Returns the fields of a task that may be shown, without hidden tests and solutions. */
function visible({ ref, suite, spec, instruction, files, checks, digest }: Task) {
  const { id, version, title, output, language, editable, requires, limits, licence, source, properties } =
    spec
  return {
    ref,
    suite,
    id,
    version,
    title,
    output,
    language,
    editable,
    requires,
    limits,
    licence,
    source,
    properties,
    ...(spec.grading && { grading: spec.grading }),
    instruction,
    files: Object.keys(files),
    checks: Object.keys(checks),
    digest,
  }
}

const oneProcessText =
  'grading: one-process. The hidden tests run in the process of the solution, which can fake their results'

function details(task: Task): string {
  const { ref, spec, files, checks, digest } = task
  const facts = Object.entries(spec.properties).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') || 'none' : value}`,
  )
  return [
    `${ref}: ${spec.title} (version ${spec.version}, ${spec.licence}, source: ${spec.source})`,
    `output ${spec.output}, ${spec.language}; ${facts.join('; ')}`,
    `files: ${Object.keys(files).join(', ') || 'none'}; visible checks: ${Object.keys(checks).join(', ') || 'none'}; requires: ${spec.requires.join(', ') || 'nothing'}`,
    `digest ${digest}`,
    ...(spec.grading === 'one-process' ? [oneProcessText] : []),
    ...(spec.knownIssues ?? []).map((issue) => `known issue: ${issue}`),
    '',
    task.instruction.trim(),
    '',
  ].join('\n')
}

async function check(
  selection: string,
  options: { json?: boolean; parallel?: string; skipInvalid?: boolean },
): Promise<number> {
  const problems: Problem[] = []
  const concurrency = parseWholeNumber(problems, '--parallel', options.parallel, availableParallelism())
  if (problems.length > 0) throw new UserError(problems)
  const { tasks, notes } = await selectTasks(selection, 1, options)
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
