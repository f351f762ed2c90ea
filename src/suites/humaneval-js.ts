import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { z } from 'zod'
import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../base/syntax-tree.ts'
import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import { type AssertingTests, assertingTests } from './code/console-asserts.ts'
import { type FileKind, findFile, recordsToItems } from './code/records-to-items.ts'
import { readJsonLines } from './files/read-json-lines.ts'
import { makeTask, taskId } from './make-task.ts'
import type { Importer, SuiteItem } from './suite.ts'

const suite = 'humaneval-js'
// Node loads it as CommonJS, as the suite means it: without strict mode, and with `require`.
const file = 'solution.cjs'

/** One line of HumanEval-X's JSONL for JavaScript (github.com/THUDM/CodeGeeX2, Apache-2.0). */
const Line = z.object({
  task_id: z.string().regex(/[A-Za-z0-9]/, 'expected a name such as JavaScript/0'),
  prompt: z.string().min(1),
  canonical_solution: z.string(),
  test: z.string(),
  example_test: z.string().default(''),
})
type Line = z.infer<typeof Line>

const files: FileKind = {
  ending: /(?:js|javascript).*\.jsonl(\.gz)?$/i,
  name: 'JSONL file of HumanEval-X for JavaScript',
  fix: 'Give the path of humanevalx_js.jsonl.gz, from github.com/THUDM/CodeGeeX2, in benchmark/humanevalx.',
}

/** HumanEval-X in JavaScript. Each task is one function; each `console.assert` of the suite's test is a test that can fail. */
export const humanevalJs: Importer = {
  name: suite,
  summary: "HumanEval-X's JSONL for JavaScript, graded by its own asserts",
  recognises: (sample) =>
    sample.kind === 'file' &&
    ['canonical_solution', 'test'].every((name) => sample.fields.includes(name)) &&
    sample.text.includes('console.assert')
      ? 'certain'
      : undefined,
  read: ({ path }) =>
    recordsToItems(readJsonLines(findFile(path, files), Line), ({ task_id }) => task_id, toItem),
}

function toItem(line: Line, where: string, earlier: number | undefined): SuiteItem {
  const found = readLine(line, where, earlier)
  return 'problem' in found ? { problems: [found.problem] } : { task: toTask(line, found, where) }
}

interface Found {
  open: OpenFunction
  tests: AssertingTests
  examples: AssertingTests | undefined
}

function readLine(line: Line, where: string, earlier: number | undefined): Found | { problem: Problem } {
  const problem = (field: string, what: string, fix?: string) => ({
    problem: { where: `${where} ${field}`, what, ...(fix !== undefined && { fix }) },
  })
  if (earlier !== undefined) return problem('task_id', `repeats the task of line ${earlier}: ${line.task_id}`)
  const open = openFunction(line.prompt)
  if (!open)
    return problem(
      'prompt',
      'does not end in an open function',
      'It ends in a line such as const f = (a) => {',
    )
  const script = { name: open.name, module: `../${file}` }
  const tests = assertingTests({ ...script, source: line.test, preamble: helpersFor(open, line.test) })
  if (!tests || tests.count === 0)
    return problem('test', 'has no console.assert that can be read', 'It is JavaScript that runs itself.')
  const preamble = helpersFor(open, line.example_test)
  const examples = assertingTests({ ...script, source: line.example_test, preamble })
  return { open, tests, examples: examples && examples.count > 0 ? examples : undefined }
}

/** Returns the helpers that a test uses. They come from the prompt, never from a solution. */
function helpersFor({ helpers }: OpenFunction, test: string): string {
  const words = new Set(test.match(/[\w$]+/g))
  const first = helpers.findIndex(({ names }) => names.some((name) => words.has(name)))
  return first === -1 ? '' : helpers.map(({ text }) => text).join('\n')
}

function toTask(line: Line, { open, tests, examples }: Found, where: string): Task {
  const { name } = open
  const stub = `${exporting(name)}\n\n${line.prompt}`
  const issues = missingPackages(`${line.prompt}\n${line.canonical_solution}`).map(
    (one) =>
      `Its reference needs the package ${one}, which is not part of Node, so the reference fails. A solution must do without it.`,
  )
  const spec = {
    id: taskId(line.task_id),
    title: name,
    output: 'function' as const,
    language: 'javascript' as const,
    entryPoint: name,
    editable: [file],
    graders: [{ kind: 'tests' as const, runner: 'node-test' as const, expectTests: tests.count }],
    ...(examples && { checks: { runner: 'node-test' as const, expectTests: examples.count } }),
    requires: ['node'],
    licence: 'Apache-2.0',
    source: `HumanEval-X ${line.task_id} (github.com/THUDM/CodeGeeX2)`,
    ...(issues.length > 0 && { knownIssues: issues }),
  }
  return makeTask({
    suite,
    spec,
    instruction: instruction(name, line.prompt),
    files: { [file]: stub },
    checks: examples ? { 'examples.test.cjs': examples.text } : {},
    hidden: {
      tests: { 'asserts.test.cjs': tests.text },
      solution: { files: { [file]: `${stub}${line.canonical_solution}` } },
    },
    origin: basename(where),
  })
}

/** The first line of the file. It is before the function, so that a reply may continue the file. */
const exporting = (name: string) =>
  `Object.assign(module.exports, { ${name}: (...values) => ${name}(...values) })`

function missingPackages(code: string): string[] {
  const names = [...code.matchAll(/\brequire\(\s*['"]([^'".][^'"]*)['"]\s*\)/g)].map(
    ([, name]) => name as string,
  )
  return [...new Set(names)].filter((name) => !isBuiltin(name))
}

const instruction = (
  name: string,
  prompt: string,
) => `Complete the JavaScript function \`${name}\` in \`${file}\`. Behind the line that exports it, the file has this:

\`\`\`js
${prompt.trimEnd()}
\`\`\`

Keep its name and parameters, and the line that exports it. Node loads the file as CommonJS. Use no packages but those of Node.`

interface OpenFunction {
  name: string
  /** The code before the function: helpers, each with the names that it binds. */
  helpers: { names: string[]; text: string }[]
}

/** Reads code that ends in an open function, `const f = (a) => {` or `function f(a) {`; undefined if it does not. */
function openFunction(prompt: string): OpenFunction | undefined {
  const source = `${prompt}\n}`
  const parsed = parseSource(source, 'prompt.cjs')
  if ('error' in parsed) return undefined
  const last = parsed.statements.at(-1)
  const [name, ...others] = namesOf(last)
  if (name === undefined || others.length > 0 || last?.end !== source.length) return undefined
  const helpers = parsed.statements.slice(0, -1).map((statement) => ({
    names: namesOf(statement),
    text: source.slice(statement.start as number, statement.end as number),
  }))
  return { name, helpers }
}

function namesOf(statement: SyntaxNode | undefined): string[] {
  const declared =
    statement?.type === 'VariableDeclaration'
      ? nodesAt(statement, 'declarations').map((one) => nameOf(nodeAt(one, 'id')))
      : [nameOf(nodeAt(statement, 'id'))]
  return declared.filter((name) => name !== undefined)
}
