import { Composer, type CST, type Document, isMap, isNode, isScalar, Lexer, LineCounter, Parser } from 'yaml'
import type { z } from 'zod'
import type { Problem } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import { allowedKinds, knownFields } from './schema-fields.ts'
import { unfitNodes } from './yaml-nodes.ts'

/** A checked YAML file, with the place of each field for later problems. */
export interface YamlFile<Data> {
  data: Data
  /** `file:line field` of a field, or of the nearest one around it. */
  where(...path: PropertyKey[]): string
}

/**
 * Reads YAML text by its schema. Undefined where it has problems, all of which are added with file, line, field and, for
 * unknown names, what was meant. `examples` says what to write for fields whose type alone does not; the value of a field in
 * `unsaid` is never told, since a key may stand there.
 */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  problems: Problem[],
  examples: Readonly<Record<string, string>> = {},
  unsaid: readonly string[] = [],
): YamlFile<z.infer<Schema>> | undefined {
  const lines = new LineCounter()
  const parsed = parseText(text, lines)
  if ('faults' in parsed) {
    const placed = parsed.faults.map(({ at, ...fault }) => ({
      where: `${file}:${lines.linePos(at).line}`,
      ...fault,
    }))
    problems.push(...placed)
    return undefined
  }
  const { document, js } = parsed
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${lineOf(document, lines, path)}${field ? ` ${field}` : ''}`
  }
  // Code made for a shape pays only where many values have it.
  const { data, error } = schema.safeParse(js, { jitless: true })
  if (!error) return { data, where }
  const told = error.issues.flatMap((issue) =>
    toProblems(issue, { schema, value: js, where, examples, unsaid }),
  )
  const lineIn = ({ where }: Problem) => Number(where.slice(file.length + 1).split(' ')[0])
  problems.push(...told.sort((a, b) => lineIn(a) - lineIn(b)))
  return undefined
}

/** What is wrong with the text itself; `at` in characters. */
type Fault = Omit<Problem, 'where'> & { at: number }

/** No file of ours comes near it. */
const deepest = 100

/**
 * One YAML document, or its faults. Looked at for depth while it is taken apart, which needs no stack: the composer goes
 * down by calling itself, and Node dies when a regular expression is first used where the stack ends.
 */
function parseText(
  text: string,
  lines: LineCounter,
): { document: Document.Parsed; js: unknown } | { faults: Fault[] } {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    if (parser.stack.length > deepest)
      return { faults: [{ at: parser.offset, what: `nests more than ${deepest} levels deep` }] }
  }
  tokens.push(...parser.end())
  const [document, another] = new Composer({ logLevel: 'error' }).compose(tokens, true, text.length)
  // A message quotes what it met, however long.
  const faults = (document?.errors ?? []).map(({ pos, message }) => ({
    at: Math.max(pos[0], 0),
    what: `is not YAML: ${message.length > 300 ? `${message.slice(0, 300)}…` : message}`,
  }))
  if (another) faults.push({ at: another.range[0], what: 'is not YAML: it holds several documents' })
  if (!document || faults.length > 0) return { faults }
  const unfit = document.contents === null ? [] : unfitNodes(document)
  if (unfit.length > 0) return { faults: unfit }
  try {
    // An empty file is an empty map.
    return { document, js: document.toJS() ?? {} }
  } catch {
    // The composer refuses aliases that blow a file up beyond reason.
    return { faults: [{ at: 0, what: 'holds too many aliases', fix: 'Write their values out.' }] }
  }
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

interface Checked {
  schema: z.ZodType
  value: unknown
  where(...path: PropertyKey[]): string
  examples: Readonly<Record<string, string>>
  unsaid: readonly string[]
}

function toProblems(issue: z.core.$ZodIssue, checked: Checked): Problem[] {
  const { schema, where, examples, unsaid } = checked
  const field = String(issue.path.findLast((part) => typeof part === 'string'))
  const isUnsaid = unsaid.includes(field)
  const example = examples[isUnsaid ? field : String(issue.path.at(-1))]
  const problem = (what: string, fix = example): Problem[] => [
    { where: where(...issue.path), what, ...(fix && { fix }) },
  ]
  const value = at(checked.value, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownFields(schema, issue.path, checked.value)
      return issue.keys.map((key) => ({
        where: where(...issue.path, key),
        what: 'is not a known field',
        fix: meant(key, known),
      }))
    }
    case 'invalid_type':
      return value === undefined
        ? problem('is missing', example ?? `Write \`${field}:\` and ${article(issue.expected)}.`)
        : problem(`should be ${article(issue.expected)}${isUnsaid ? '' : `, not ${show(value)}`}`)
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      if (value === undefined) return problem('is missing', `Write one of ${allowed.join(', ')}.`)
      return problem(`${show(value)} is not allowed`, meant(String(value), allowed))
    }
    case 'invalid_union': {
      const name = String(issue.path.at(-1))
      const kinds = allowedKinds(schema, issue.path.slice(0, -1), name)
      if (value === undefined) return problem('is missing', kinds.length > 0 ? meant('', kinds) : example)
      if (kinds.length > 0)
        return problem(`${show(value)} is not a known ${name}`, meant(String(value), kinds))
      const forms = issue.errors.filter((errors) => !errors.some(isOtherType))
      // Of the forms that it may have, it can only be meant as this one.
      if (forms.length === 1 && !example)
        return (forms[0] ?? []).flatMap((inner) =>
          toProblems({ ...inner, path: [...issue.path, ...inner.path] }, checked),
        )
      return problem(`${show(value)} is not allowed`)
    }
    case 'invalid_key':
      return problem(issue.issues[0]?.message ?? issue.message)
    case 'too_small': {
      const least = issue.inclusive === false ? 'more than' : 'at least'
      return problem(`should be ${least} ${issue.minimum}${issue.origin === 'number' ? '' : ' long'}`)
    }
    case 'too_big':
      return problem(`should be at most ${issue.maximum}`)
    default:
      return problem(issue.message)
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

/** Did you mean; else the names there are. */
function meant(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'Leave it out.'
  return didYouMean(word, known) ?? `There are ${known.join(', ')}.`
}

/** The value as a whole is of another type. */
const isOtherType = (issue: z.core.$ZodIssue) => issue.code === 'invalid_type' && issue.path.length === 0

const article = (type: string) =>
  type === 'int' ? 'a whole number' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const yamlNumber = (value: number) =>
  Number.isNaN(value) ? '.nan' : `${value < 0 ? '-' : ''}.inf (or too large)`

function show(value: unknown): string {
  // JSON has no other words for them than null.
  if (typeof value === 'number' && !Number.isFinite(value)) return yamlNumber(value)
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`
}
