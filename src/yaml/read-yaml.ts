import { Composer, type CST, type Document, isMap, isNode, isScalar, Lexer, LineCounter, Parser } from 'yaml'
import type { z } from 'zod'
import type { Problem } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import { allowedKinds, knownFields } from './schema-fields.ts'
import { findUnsupportedNodes } from './yaml-nodes.ts'

/** A validated YAML file, with the position of each field for later problems. */
export interface YamlFile<Data> {
  data: Data
  /** Returns `file:line field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/**
 * Reads YAML text and validates it by a schema. If it has problems, adds all of them, with file, line, field and suggestions for
 * unknown names, and returns undefined. `examples` has a remedy by field. The values of `secretFields` are never quoted, since they
 * may be keys.
 */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  problems: Problem[],
  examples: Readonly<Record<string, string>> = {},
  secretFields: readonly string[] = [],
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
  const { data, error } = schema.safeParse(js, { jitless: true })
  if (!error) return { data, where }
  const yamlProblems = error.issues.flatMap((issue) =>
    toProblems(issue, { schema, value: js, where, examples, secretFields }),
  )
  const lineIn = ({ where }: Problem) => Number(where.slice(file.length + 1).split(' ')[0])
  problems.push(...yamlProblems.sort((a, b) => lineIn(a) - lineIn(b)))
  return undefined
}

/** A problem of the text; `at` is its offset in characters. */
type Fault = Omit<Problem, 'where'> & { at: number }

/** Limit of nesting. */
const maxDepth = 100

/**
 * Parses one YAML document, or returns its faults. The depth is checked before composing: the composer is recursive, and Node
 * crashes if a regular expression is first used at the end of the stack.
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
    if (parser.stack.length > maxDepth)
      return { faults: [{ at: parser.offset, what: `nests more than ${maxDepth} levels deep` }] }
  }
  tokens.push(...parser.end())
  const [document, another] = new Composer({ logLevel: 'error' }).compose(tokens, true, text.length)
  // A message may quote a long text.
  const faults = (document?.errors ?? []).map(({ pos, message }) => ({
    at: Math.max(pos[0], 0),
    what: `is not valid YAML: ${message.length > 300 ? `${message.slice(0, 300)}…` : message}`,
  }))
  if (another) faults.push({ at: another.range[0], what: 'is not valid YAML: it contains several documents' })
  if (!document || faults.length > 0) return { faults }
  const unsupported = document.contents === null ? [] : findUnsupportedNodes(document)
  if (unsupported.length > 0) return { faults: unsupported }
  try {
    // An empty file is read as an empty map.
    return { document, js: document.toJS() ?? {} }
  } catch {
    // The composer refuses an excessive expansion of aliases.
    return { faults: [{ at: 0, what: 'contains too many aliases', fix: 'Write the values instead.' }] }
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
  secretFields: readonly string[]
}

function toProblems(issue: z.core.$ZodIssue, checked: Checked): Problem[] {
  const { schema, where, examples, secretFields } = checked
  const field = String(issue.path.findLast((part) => typeof part === 'string'))
  const isSecret = secretFields.includes(field)
  const example = examples[isSecret ? field : String(issue.path.at(-1))]
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
        fix: suggest(key, known),
      }))
    }
    case 'invalid_type':
      return value === undefined
        ? problem('is missing', example ?? `Write \`${field}:\` and ${withArticle(issue.expected)}.`)
        : problem(`must be ${withArticle(issue.expected)}${isSecret ? '' : `, got ${show(value)}`}`)
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      if (value === undefined) return problem('is missing', `Write one of ${allowed.join(', ')}.`)
      return problem(`${show(value)} is not allowed`, suggest(String(value), allowed))
    }
    case 'invalid_union': {
      const name = String(issue.path.at(-1))
      const kinds = allowedKinds(schema, issue.path.slice(0, -1), name)
      if (value === undefined) return problem('is missing', kinds.length > 0 ? suggest('', kinds) : example)
      if (kinds.length > 0)
        return problem(`${show(value)} is not a known ${name}`, suggest(String(value), kinds))
      const forms = issue.errors.filter((errors) => !errors.some(isOtherType))
      // Only one form of the union has the right type: report the problems of that form.
      if (forms.length === 1 && !example)
        return (forms[0] ?? []).flatMap((inner) =>
          toProblems({ ...inner, path: [...issue.path, ...inner.path] }, checked),
        )
      return problem(`${show(value)} is not allowed`)
    }
    case 'invalid_key':
      return problem(issue.issues[0]?.message ?? issue.message)
    case 'too_small': {
      const bound = `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
      if (issue.origin === 'string') return problem(`must have ${bound} character(s)`)
      return problem(issue.origin === 'array' ? `must have ${bound} item(s)` : `must be ${bound}`)
    }
    case 'too_big':
      return problem(`must be at most ${issue.maximum}`)
    default:
      return problem(issue.message)
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

/** Returns a `Did you mean …?`, or else the known names. */
function suggest(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'Remove it.'
  return didYouMean(word, known) ?? `Use one of ${known.join(', ')}.`
}

/** Whether an issue is that the whole value has another type. */
const isOtherType = (issue: z.core.$ZodIssue) => issue.code === 'invalid_type' && issue.path.length === 0

const withArticle = (type: string) =>
  type === 'int' ? 'a whole number' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const yamlNumber = (value: number) =>
  Number.isNaN(value) ? '.nan' : `${value < 0 ? '-' : ''}.inf (or too large)`

function show(value: unknown): string {
  // JSON would show them as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return yamlNumber(value)
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`
}
