import { basename } from 'node:path'
import { z } from 'zod'
import type { Task } from '../schema/task.ts'
import { type FileKind, findFile, recordsToItems } from './code/records-to-items.ts'
import { readJsonLines } from './files/read-json-lines.ts'
import { makeTask, taskId } from './make-task.ts'
import { formatExamples, pythonExamples } from './python-examples.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'humaneval'
const file = 'solution.py'
const identifier = z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of a Python function')

const name = z.string().regex(/[A-Za-z0-9]/, 'expected a name such as HumanEval/0')

/** One line of HumanEval's JSONL (github.com/openai/human-eval, MIT). A selection may name its tasks `id`. */
const Line = z.looseObject({
  task_id: name.optional(),
  prompt: z.string().min(1),
  entry_point: identifier,
  canonical_solution: z.string(),
  test: z.string().regex(/^def check\(/m, 'expected Python source that defines check(candidate)'),
})
type Line = z.infer<typeof Line>

const files: FileKind = {
  ending: /\.jsonl(\.gz)?$/,
  name: 'JSONL file',
  fix: 'Give the path of HumanEval.jsonl, from github.com/openai/human-eval.',
}

/** HumanEval's JSONL, plain or gzipped. Each task is one Python function, graded by the suite's own `check(candidate)`. */
export const humaneval: Importer = {
  name: suite,
  summary: "HumanEval's JSONL, graded by its own tests",
  recognises: (sample) =>
    sample.kind === 'file' &&
    ['entry_point', 'canonical_solution'].every((name) => sample.fields.includes(name))
      ? 'certain'
      : undefined,
  read: ({ path }) => recordsToItems(readJsonLines(findFile(path, files), Line), nameOf, toItem),
}

const nameOf = ({ task_id, id }: Line): string => task_id ?? (typeof id === 'string' ? id : '')

function toItem(line: Line, where: string, earlier: number | undefined): SuiteItem {
  const problem = lineProblem(line, where, earlier)
  return problem ? { problems: [problem] } : { task: toTask(line, where) }
}

function lineProblem(line: Line, where: string, earlier: number | undefined) {
  const { entry_point, prompt } = line
  if (nameOf(line) === '')
    return {
      where: `${where} task_id`,
      what: 'is missing',
      fix: 'Each one is an object with task_id, prompt, entry_point, canonical_solution, test.',
    }
  if (!new RegExp(`^(async )?def ${entry_point}\\b`, 'm').test(prompt))
    return { where: `${where} prompt`, what: `does not define ${entry_point}` }
  if (earlier === undefined) return undefined
  return { where: `${where} task_id`, what: `repeats the task of line ${earlier}: ${nameOf(line)}` }
}

function toTask(line: Line, origin: string): Task {
  const examples = pythonExamples(line.prompt)
  const checks = { runner: 'python-doctest' as const, expectTests: examples.length }
  const spec = {
    id: taskId(nameOf(line)),
    version: 1,
    title: line.entry_point,
    output: 'function' as const,
    language: 'python' as const,
    entryPoint: line.entry_point,
    editable: [file],
    graders: [{ kind: 'tests' as const, runner: 'python-check' as const, expectTests: 1 }],
    ...(examples.length > 0 ? { checks } : {}),
    requires: ['python3'],
    licence: 'MIT',
    source: `HumanEval ${nameOf(line)} (github.com/openai/human-eval)`,
  }
  return makeTask({
    suite,
    spec,
    instruction: instruction(line),
    files: { [file]: line.prompt },
    checks: examples.length > 0 ? { 'examples.txt': formatExamples(examples) } : {},
    hidden: {
      tests: { 'check.py': line.test },
      solution: { files: { [file]: line.prompt + line.canonical_solution } },
    },
    origin: basename(origin),
  })
}

function instruction({ entry_point, prompt }: Line): string {
  return `Complete the Python function \`${entry_point}\` in \`${file}\`, which begins like this:

\`\`\`python
${prompt.trimEnd()}
\`\`\`

Keep its name and parameters. Use the standard library only.`
}
