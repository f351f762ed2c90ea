import { basename } from 'node:path'
import { z } from 'zod'
import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import {
  assertExample,
  type Binding,
  checkFile,
  namesCalled,
  namesUsed,
  numberedFiles,
  runningExample,
  topLevelNames,
} from './code/python-check.ts'
import { type FileKind, findFile, recordsToItems } from './code/records-to-items.ts'
import { readObjects } from './files/read-json-list.ts'
import { makeTask, taskId } from './make-task.ts'
import { formatExamples } from './python-examples.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'mbpp'
const file = 'solution.py'
const python = z.string().transform((text) => text.replaceAll('\r\n', '\n'))
const asserts = z.array(python.pipe(z.string().regex(/\S/, 'expected a Python assert')))

/** One task of MBPP, full (`text`, `test_setup_code`, `challenge_test_list`) or sanitized (`prompt`, `test_imports`). */
const Line = z.object({
  task_id: z.union([z.int(), z.string().regex(/[A-Za-z0-9]/)], 'expected a number or a name'),
  text: python.optional(),
  prompt: python.optional(),
  code: python,
  test_setup_code: python.default(''),
  test_imports: z.array(python).default([]),
  test_list: asserts.min(1, 'expected at least one assert'),
  challenge_test_list: asserts.default([]),
})
type Line = z.infer<typeof Line>

const files: FileKind = {
  ending: /mbpp.*\.jsonl?(\.gz)?$/i,
  name: 'file of MBPP',
  fix: 'Give the path of mbpp.jsonl or sanitized-mbpp.json, from github.com/google-research/google-research/tree/master/mbpp.',
}

/** MBPP as published, full or sanitized. Each task is one Python function; its first assert is shown, all of them grade it. */
export const mbpp: Importer = {
  name: suite,
  summary: "MBPP's JSONL or the list of its sanitized part, graded by its own asserts",
  recognises: (sample) =>
    sample.kind === 'file' && ['test_list', 'code'].every((name) => sample.fields.includes(name))
      ? 'certain'
      : undefined,
  read: ({ path }) => recordsToItems(readObjects(findFile(path, files), Line), idOf, toItem),
}

const idOf = ({ task_id }: Line) => taskId(String(task_id))

function toItem(line: Line, where: string, earlier: number | undefined): SuiteItem {
  const found = readLine(line, where, earlier)
  if ('problem' in found) return { problems: [found.problem] }
  return { task: toTask({ ...found, id: idOf(line), where }) }
}

interface Found {
  line: Line
  text: string
  tested: AssertedFunction
}

function readLine(line: Line, where: string, earlier: number | undefined): Found | { problem: Problem } {
  const text = (line.text ?? line.prompt ?? '').trim()
  if (text === '') {
    const fix = 'The full MBPP has the task in text, the sanitized one in prompt.'
    return { problem: { where, what: 'has neither text nor prompt', fix } }
  }
  if (earlier !== undefined)
    return {
      problem: { where: `${where} task_id`, what: `repeats the task of line ${earlier}: ${line.task_id}` },
    }
  const all = [...line.test_list, ...line.challenge_test_list]
  const tested = assertedFunction(line.code, line.test_setup_code, all)
  if (tested) return { line, text, tested }
  const fix = 'The asserts must call the function that code defines.'
  return { problem: { where: `${where} test_list`, what: 'calls no function that code defines', fix } }
}

function toTask({ line, text, tested, id, where }: Found & { id: string; where: string }): Task {
  const { name, others } = tested
  const tests = [...line.test_list, ...line.challenge_test_list].map((test) => test.trim())
  const [shown = ''] = tests
  const preamble = [[...new Set([...tested.imports, ...line.test_imports])].join('\n'), line.test_setup_code]
  const setup = preamble.filter((part) => part.trim() !== '').join('\n')
  const examples = [...(setup === '' ? [] : [runningExample(setup)]), assertExample(shown)]
  const spec = {
    id,
    title: `${name}: ${firstWords(text)}`,
    output: 'function' as const,
    language: 'python' as const,
    entryPoint: name,
    editable: [file],
    graders: [{ kind: 'tests' as const, runner: 'python-check' as const, expectTests: tests.length }],
    checks: { runner: 'python-doctest' as const, expectTests: examples.length },
    ...(others.length > 0 && { grading: 'one-process' as const }),
    requires: ['python3'],
    licence: 'CC-BY-4.0',
    source: `MBPP ${line.task_id}${line.prompt === undefined ? '' : ', sanitized'} (Austin et al. 2021, github.com/google-research/google-research/tree/master/mbpp)`,
    ...(new Set(tests).size === 1 && { knownIssues: ['Its only assert is shown, so a constant passes.'] }),
  }
  return makeTask({
    suite,
    spec,
    instruction: instruction(text, tested, [setup, shown].filter((part) => part !== '').join('\n')),
    files: { [file]: `# Write ${name} here.\n` },
    checks: { 'examples.txt': formatExamples(examples) },
    hidden: {
      tests: numberedFiles(tests.map((test) => checkFile(name, preamble, test))),
      solution: { files: { [file]: `${line.code.trimEnd()}\n` } },
    },
    origin: basename(where),
  })
}

const firstWords = (text: string) => {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= 90 ? line : `${line.slice(0, 90).replace(/\s\S*$/, '')} …`
}

function instruction(text: string, { name, others }: AssertedFunction, shown: string): string {
  const also = others.length === 0 ? '' : ` The tests use your ${others.join(', ')}, too.`
  return `${text}

Write the Python function \`${name}\` in \`${file}\`. This must hold, as must other cases:

\`\`\`python
${shown}
\`\`\`
${also === '' ? '' : `\n${also.trim()}\n`}
Use the standard library only.`
}

interface AssertedFunction {
  name: string
  /** Imports of the solution that the tests rely on. */
  imports: string[]
  /** Other names of the solution in the tests, such as a class. They exist in the solution's process only. */
  others: string[]
}

/**
 * Finds the function that asserts test: of the names that a reference solution defines, the one that the most asserts call; of several
 * the first, which is the outer one. So `set(f(x)) == set(y)` and `isclose(f(x), y)` test `f`. Undefined if they call none of them.
 */
function assertedFunction(
  code: string,
  setup: string,
  asserts: readonly string[],
): AssertedFunction | undefined {
  const defined = topLevelNames(code)
  const calls = asserts.map((assert) => [...new Set(namesCalled(assert))])
  const name = mostCalled(calls, (one) => isCallable(defined.get(one)))
  if (name === undefined) return undefined
  const used = namesUsed([setup, ...asserts].join('\n'))
  const found = [...used].flatMap((one) => {
    const binding = one === name ? undefined : defined.get(one)
    return binding ? [{ one, binding }] : []
  })
  const isImport = ({ binding }: { binding: Binding }) => binding.kind === 'import'
  return {
    name,
    imports: [...new Set(found.filter(isImport).map(({ binding }) => binding.text))],
    others: found.filter((one) => !isImport(one)).map(({ one }) => one),
  }
}

const isCallable = (binding: Binding | undefined) => binding !== undefined && binding.kind !== 'import'

function mostCalled(
  calls: readonly (readonly string[])[],
  accept: (name: string) => boolean,
): string | undefined {
  const counts = new Map<string, number>()
  for (const name of calls.flat()) if (accept(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}
