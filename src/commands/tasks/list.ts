import type { Task } from '../../schema/task.ts'
import { factText } from '../../schema/task-condition.ts'
import { importers } from '../../suites/registry.ts'
import { UserError } from '../../text/errors.ts'
import { nearWord } from '../../text/near-word.ts'
import { reportNote } from '../terminal/report-error.ts'
import { everyBuiltIn, type SelectionOptions, selectFiltered } from './select-filtered.ts'

/** `bench tasks [selection]` lists tasks, or shows the only one that a selection names. */
export default async function list(
  selection: string | undefined,
  options: SelectionOptions & { json?: boolean },
): Promise<number> {
  const { tasks, notes } = await selectFiltered(selection ?? everyBuiltIn, options).catch((error) => {
    // `bench tasks chekc` names a task that there is not.
    const near = nearWord(selection ?? '', ['check', 'import', 'list', 'new'])
    if (near === undefined || !(error instanceof UserError)) throw error
    const fix = `Did you mean bench tasks ${near}? bench tasks lists the tasks.`
    throw new UserError({ where: `bench tasks ${selection}`, what: 'is neither a command nor a task', fix })
  })
  for (const note of notes) reportNote(note)
  const [only] = tasks
  if (options.json) process.stdout.write(`${JSON.stringify(tasks.map(visible), null, 2)}\n`)
  else if (selection !== undefined && tasks.length === 1 && only) process.stdout.write(details(only))
  else {
    const width = Math.max(...tasks.map(({ ref }) => ref.length))
    for (const { ref, spec } of tasks)
      process.stdout.write(
        `${ref.padEnd(width)}  ${spec.output.padEnd(8)} ${difficultyOf(spec).padEnd(4)} ${spec.title}\n`,
      )
    if (selection === undefined) {
      process.stdout.write('\nTasks from your own files:\n')
      for (const { name, summary } of importers)
        process.stdout.write(`  ${`${name}:PATH[:slice]`.padEnd(26)} ${summary}\n`)
    }
  }
  return 0
}

const difficultyOf = ({ properties: { difficulty } }: Task['spec']) =>
  difficulty === undefined ? '' : factText(difficulty)

/** Returns the fields of a task that may be shown, without hidden tests and solutions. */
function visible({ ref, suite, spec, instruction, files, checks, digest }: Task) {
  const { id, version, title, output, language, editable, requires, limits, licence, source } = spec
  const { tags, properties } = spec
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
    ...(tags && { tags }),
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
  const facts = Object.entries(spec.properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${factText(value)}`],
  )
  if (spec.tags) facts.push(`tags ${spec.tags.join(', ')}`)
  return [
    `${ref}: ${spec.title} (version ${spec.version}, ${spec.licence}, source: ${spec.source})`,
    [`output ${spec.output}, ${spec.language}`, ...facts].join('; '),
    `files: ${Object.keys(files).join(', ') || 'none'}; visible checks: ${Object.keys(checks).join(', ') || 'none'}; requires: ${spec.requires.join(', ') || 'nothing'}`,
    `digest ${digest}`,
    ...(spec.grading === 'one-process' ? [oneProcessText] : []),
    ...(spec.knownIssues ?? []).map((issue) => `known issue: ${issue}`),
    '',
    task.instruction.trim(),
    '',
  ].join('\n')
}
