import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { type Task, TaskSpec } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import { formatExamples, pythonExamples } from './python-examples.ts'
import type { Importer, LoadedSuite } from './suite.ts'
import { taskDigest } from './task-yaml.ts'

const suite = 'humaneval'
const file = 'solution.py'
const identifier = z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of a Python function')

/** One line of HumanEval's JSONL (github.com/openai/human-eval, MIT). */
const Line = z.object({
  task_id: z.string().regex(/[A-Za-z0-9]/, 'expected a name such as HumanEval/0'),
  prompt: z.string().min(1),
  entry_point: identifier,
  canonical_solution: z.string(),
  test: z.string().regex(/^def check\(/m, 'expected Python source that defines check(candidate)'),
})
type Line = z.infer<typeof Line>

/** HumanEval's JSONL, plain or gzipped. Each task is one Python function, graded by the suite's own `check(candidate)`. */
export const humaneval: Importer = {
  name: 'humaneval',
  summary: "HumanEval's JSONL, graded by its own tests",
  load,
}

function load(path: string): LoadedSuite {
  const found = findFile(path)
  if ('what' in found) return { tasks: [], problems: [found] }
  const tasks: Task[] = []
  const problems: Problem[] = []
  const seen = new Map<string, number>()
  for (const [index, text] of found.text.split('\n').entries()) {
    if (text.trim() === '') continue
    const where = `${found.path}:${index + 1}`
    const line = parseLine(text, where)
    if (Array.isArray(line)) {
      problems.push(...line)
      continue
    }
    const earlier = seen.get(line.task_id)
    seen.set(line.task_id, index + 1)
    if (earlier === undefined) tasks.push(toTask(line, where))
    else
      problems.push({
        where: `${where} task_id`,
        what: `repeats the task of line ${earlier}: ${line.task_id}`,
      })
  }
  if (tasks.length === 0 && problems.length === 0)
    problems.push({ where: found.path, what: 'contains no task' })
  return { tasks, problems }
}

/** Reads the file, or the only JSONL file in the folder. */
function findFile(path: string): { path: string; text: string } | Problem {
  const fix = 'Give the path of HumanEval.jsonl, from github.com/openai/human-eval.'
  try {
    if (!statSync(path).isDirectory()) return { path, text: readText(path) }
    const files = readdirSync(path).filter((name) => /\.jsonl(\.gz)?$/.test(name))
    if (files.length === 1)
      return { path: join(path, files[0] as string), text: readText(join(path, files[0] as string)) }
    return {
      where: path,
      what: `contains ${files.length === 0 ? 'no JSONL file' : 'several JSONL files'}`,
      fix,
    }
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return {
      where: path,
      what: missing ? 'does not exist' : `cannot be read: ${(error as Error).message}`,
      fix,
    }
  }
}

function readText(path: string): string {
  const bytes = readFileSync(path)
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = zipped ? gunzipSync(bytes) : bytes
  if (!isUtf8(text)) throw new Error('it is not UTF-8 text')
  return text.toString('utf8')
}

function parseLine(text: string, where: string): Line | Problem[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return [
      {
        where,
        what: `is not JSON: ${(error as Error).message}`,
        fix: 'Write one JSON object per line, as in HumanEval.',
      },
    ]
  }
  const { data, error } = Line.safeParse(json)
  if (error) {
    return error.issues.map((issue) => {
      const field = issue.path.join('.')
      const expected = field === '' ? 'is not an object' : 'is not a text'
      const missing = field !== '' && (json as Record<string, unknown>)[field] === undefined
      const fact = issue.code === 'invalid_type' ? expected : issue.message
      return {
        where: field ? `${where} ${field}` : where,
        what: missing ? 'is missing' : fact,
        fix: `Each line is an object with ${Object.keys(Line.shape).join(', ')}.`,
      }
    })
  }
  if (new RegExp(`^(async )?def ${data.entry_point}\\b`, 'm').test(data.prompt)) return data
  return [{ where: `${where} prompt`, what: `does not define ${data.entry_point}` }]
}

function toTask(line: Line, origin: string): Task {
  const examples = pythonExamples(line.prompt)
  const checks = { runner: 'python-doctest', expectTests: examples.length }
  const spec = TaskSpec.parse({
    id: line.task_id.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, ''),
    version: 1,
    title: line.entry_point,
    output: 'function',
    language: 'python',
    entryPoint: line.entry_point,
    editable: [file],
    graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1 }],
    ...(examples.length > 0 ? { checks } : {}),
    requires: ['python3'],
    licence: 'MIT',
    source: `HumanEval ${line.task_id} (github.com/openai/human-eval)`,
    properties: {},
  })
  const task: Omit<Task, 'digest'> = {
    ref: `${suite}/${spec.id}`,
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
  }
  return { ...task, digest: taskDigest(task) }
}

function instruction({ entry_point, prompt }: Line): string {
  return `Complete the Python function \`${entry_point}\` in \`${file}\`, which begins like this:

\`\`\`python
${prompt.trimEnd()}
\`\`\`

Keep its name and parameters. Use the standard library only.`
}
