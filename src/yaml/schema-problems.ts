import type { z } from 'zod'
import type { Problem } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import { allowedKinds, knownFields } from './schema-fields.ts'

/** A problem of a field of a file. */
export interface FieldProblem extends Omit<Problem, 'where'> {
  path: readonly PropertyKey[]
}

/** What was checked, and what is known of its fields. */
export interface Checked {
  schema: z.ZodType
  value: unknown
  /** A remedy by field, or by the whole path of a field. */
  examples?: Readonly<Record<string, string>>
  /** Fields whose values are never quoted, since they may be keys. */
  secretFields?: readonly string[]
  /** A remedy by field for a required field that is missing. */
  ifMissing?: Readonly<Record<string, string>>
}

/** Says what is wrong with a value that a schema refused, and what to write instead. */
export const schemaProblems = (issues: readonly z.core.$ZodIssue[], checked: Checked): FieldProblem[] =>
  issues.flatMap((issue) => toProblems(issue, checked))

function toProblems(issue: z.core.$ZodIssue, checked: Checked): FieldProblem[] {
  const { schema, examples = {}, secretFields = [] } = checked
  const field = String(issue.path.findLast((part) => typeof part === 'string'))
  const isSecret = secretFields.includes(field)
  const name = isSecret ? field : String(issue.path.at(-1))
  const example = own(examples, issue.path.join('.')) ?? own(examples, name)
  const missing = example ?? own(checked.ifMissing ?? {}, name)
  const problem = (what: string, fix = example): FieldProblem[] => [
    { path: issue.path, what, ...(fix && { fix }) },
  ]
  const value = at(checked.value, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownFields(issue.keys, issue.path, checked)
    case 'invalid_type':
      return value === undefined
        ? problem('is missing', missing ?? `Write \`${field}:\` and ${withArticle(issue.expected)}.`)
        : problem(
            `must be ${withArticle(issue.expected)}${isSecret ? '' : `, got ${show(value)}`}`,
            quotedNumberFix(issue.expected, value) ?? example ?? otherTypeFix(issue.expected, value),
          )
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      if (value === undefined) return problem('is missing', `Write one of ${allowed.join(', ')}.`)
      // Of a field with one value a remedy says more than the value, and may warn of it.
      const fix = (allowed.length === 1 ? example : undefined) ?? suggestion(String(value), allowed)
      return problem(`${show(value)} is not allowed`, fix)
    }
    case 'invalid_union': {
      const name = String(issue.path.at(-1))
      const kinds = allowedKinds(schema, issue.path.slice(0, -1), name)
      if (value === undefined && kinds.length === 0) return problem('is missing', missing)
      if (kinds.length > 0)
        return [
          ...(value === undefined
            ? problem('is missing', suggestion('', kinds))
            : problem(`${show(value)} is not a known ${name}`, suggestion(String(value), kinds))),
          ...strangeFields(issue.path.slice(0, -1), checked),
        ]
      const forms = issue.errors.filter((errors) => !errors.some((error) => isOtherType(error, value)))
      // Only one form of the union has the right type: report the problems of that form.
      if (forms.length === 1 && !example)
        return (forms[0] ?? []).flatMap((inner) =>
          toProblems({ ...inner, path: [...issue.path, ...inner.path] }, checked),
        )
      const types = issue.errors.flatMap((errors) =>
        errors.flatMap((error) => (error.code === 'invalid_type' ? [withArticle(error.expected)] : [])),
      )
      if (forms.length === 0 && !isSecret)
        return problem(
          `must be ${types.join(' or ')}, got ${show(value)}`,
          example ?? otherTypeFix('', value),
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
      if (issue.origin === 'string') return problem(`must have at most ${issue.maximum} characters`)
      return problem(`must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`)
    default:
      return problem(issue.message)
  }
}

function unknownFields(
  keys: readonly string[],
  path: readonly PropertyKey[],
  { schema, value }: Checked,
): FieldProblem[] {
  const known = knownFields(schema, path, value)
  return keys.map((key) => ({
    path: [...path, key],
    what: 'is not a known field',
    fix: suggestion(key, known),
  }))
}

/** Returns the fields that no form of a union has, where its form is unclear. */
function strangeFields(path: readonly PropertyKey[], checked: Checked): FieldProblem[] {
  const known = knownFields(checked.schema, path, checked.value)
  const keys = Object.keys((at(checked.value, path) ?? {}) as object)
  return unknownFields(
    keys.filter((key) => !known.includes(key)),
    path,
    checked,
  )
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

/** Looks up a word of the user, which may be `constructor`. */
const own = <Value>(map: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(map, word) ? map[word] : undefined

/** Returns a `Did you mean …?`, or else the known names. */
function suggestion(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'Remove it.'
  return didYouMean(word, known) ?? `Use one of ${known.join(', ')}.`
}

/** Whether an issue is that the whole value has another type; an object is no word. */
const isOtherType = ({ code, path }: z.core.$ZodIssue, value: unknown) =>
  path.length === 0 &&
  (code === 'invalid_type' || (code === 'invalid_value' && typeof value === 'object' && value !== null))

/** Says how to write a value whose type is another one than it looks like. */
function otherTypeFix(expected: string, value: unknown): string | undefined {
  if (expected === 'record' && Array.isArray(value)) return 'Write `NAME: …` for each instead of a list.'
  if ((expected === 'object' || expected === 'record') && value === null)
    return 'Write its fields, or `{}` if it has none.'
  if (expected === 'object' && typeof value === 'string') return 'Write its fields in place of the text.'
  if (expected === 'array' && value !== null) return 'Write a list.'
  const isText = expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')
  return isText ? `Write it in quotes: "${value}".` : undefined
}

function quotedNumberFix(expected: string, value: unknown): string | undefined {
  const isNumber = expected === 'number' || expected === 'int'
  return isNumber && typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)
    ? `Write it without quotes: ${value}.`
    : undefined
}

const withArticle = (type: string) =>
  type === 'int'
    ? 'a whole number'
    : type === 'record'
      ? 'an object'
      : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const yamlNumber = (value: number) =>
  Number.isNaN(value) ? '.nan' : `${value < 0 ? '-' : ''}.inf (or too large)`

function show(value: unknown): string {
  // JSON would show them as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return yamlNumber(value)
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`
}
