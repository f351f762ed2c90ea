import { closest, distance } from 'fastest-levenshtein'
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import type { Problem } from '../errors.ts'
import { TaskSpec } from '../schema/task.ts'

/** A checked specification, with the place of each field for later problems. */
export interface TaskYaml {
  spec: TaskSpec
  /** `file:line field` of a field, or of the nearest one around it. */
  where(...path: PropertyKey[]): string
}

/** Reads `task.yaml`; undefined where it has problems, all of which are added with line and field. */
export function parseTaskYaml(text: string, file: string, problems: Problem[]): TaskYaml | undefined {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) {
    for (const error of document.errors) {
      const what = `is not YAML: ${(error.message.split('\n')[0] as string).replace(/ at line \d+, column \d+:?$/, '')}`
      problems.push({ where: `${file}:${error.linePos?.[0].line ?? 1}`, what })
    }
    return undefined
  }
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${lineOf(document, lines, path)}${field ? ` ${field}` : ''}`
  }
  const { data, error } = TaskSpec.safeParse(document.toJS() ?? {})
  if (data) return { spec: data, where }
  const told = error.issues.flatMap((issue) => toProblems(issue, document, where))
  const lineIn = ({ where }: Problem) => Number(where.slice(file.length + 1).split(' ')[0])
  problems.push(...told.sort((a, b) => lineIn(a) - lineIn(b)))
  return undefined
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const name = path[length - 1]
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === name)
      : undefined
    const node = pair ? pair.key : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

/** What to write, for fields whose type alone does not say it. */
const examples: Readonly<Record<string, string>> = {
  id: 'Write `id:` and the name of the task folder.',
  version: 'Write `version: 1`.',
  title: 'Write `title:` and a few words.',
  output: 'Write `output: answer`, `function` or `files`.',
  graders: 'Write at least one grader, such as `- kind: exact` or `- kind: tests`.',
  licence: 'Write `licence:` and its SPDX name, such as `MIT`.',
  source: 'Write `source:` and where the task comes from.',
  properties: 'Write `properties: {}`, or difficulty, decomposability, sequentialDepth, tools.',
  expectTests: 'Write `expectTests:` and how many tests there are.',
  runner: 'Write `runner: node-test`, `command` or the runner for Python.',
}

function toProblems(
  issue: z.core.$ZodIssue,
  document: Document,
  where: (...path: PropertyKey[]) => string,
): Problem[] {
  const fix = examples[String(issue.path.at(-1))]
  const problem = (what: string, better = fix): Problem[] => [
    { where: where(...issue.path), what, ...(better ? { fix: better } : {}) },
  ]
  const value = issue.path.length === 0 ? document.toJS() : document.getIn(issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, issue.path, where))
    case 'invalid_type':
      return value === undefined
        ? problem('is missing')
        : problem(`should be ${article(issue.expected)}, not ${show(value)}`)
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      if (value === undefined) return problem('is missing', `Write one of ${allowed.join(', ')}.`)
      return problem(`${show(value)} is not allowed`, meant(String(value), allowed))
    }
    case 'invalid_union': {
      if (issue.path.at(-1) === 'kind') {
        const kinds = ['tests', 'exact', 'numeric', 'choice', 'pattern']
        return problem(
          value === undefined ? 'is missing' : `${show(value)} is no kind of grader`,
          meant(String(value), kinds),
        )
      }
      return problem(`${show(value)} is not allowed`, 'Write `all`, `any` or `{ mean: 0.5 }`.')
    }
    case 'too_small':
      return problem(`should be at least ${issue.minimum}${issue.origin === 'number' ? '' : ' long'}`)
    case 'too_big':
      return problem(`should be at most ${issue.maximum}`)
    default:
      return problem(issue.message)
  }
}

function unknownField(
  key: string,
  path: readonly PropertyKey[],
  where: (...path: PropertyKey[]) => string,
): Problem {
  const known = path.length === 0 ? Object.keys(TaskSpec.shape) : nestedFields
  return { where: where(...path, key), what: 'is not a known field', fix: meant(key, known) }
}

const nestedFields = [
  ...[
    'kind',
    'name',
    'runner',
    'files',
    'command',
    'expectTests',
    'timeoutMs',
    'answer',
    'extract',
    'ignoreCase',
  ],
  ...[
    'tolerance',
    'options',
    'require',
    'forbid',
    'flags',
    'mean',
    'calls',
    'checks',
    'tokens',
    'costUsd',
    'timeMs',
  ],
  ...['difficulty', 'decomposability', 'sequentialDepth', 'tools'],
]

/** Did you mean; else the names there are. */
function meant(word: string, known: readonly string[]): string {
  const near = closest(word.toLowerCase(), known)
  return distance(word.toLowerCase(), near.toLowerCase()) <= Math.max(2, word.length / 3)
    ? `Did you mean ${near}?`
    : `There are ${known.join(', ')}.`
}

const article = (type: string) =>
  type === 'int' ? 'a whole number' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
