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
  /** A remedy by field. */
  examples?: Readonly<Record<string, string>>
  /** Fields whose values are never quoted, since they may be keys. */
  secretFields?: readonly string[]
  /** Words of other tools: for each the words that it may mean here. */
  synonyms?: Readonly<Record<string, readonly string[]>>
}

/** Says what is wrong with a value that a schema refused, and what to write instead. */
export const schemaProblems = (issues: readonly z.core.$ZodIssue[], checked: Checked): FieldProblem[] =>
  issues.flatMap((issue) => toProblems(issue, checked))

function toProblems(issue: z.core.$ZodIssue, checked: Checked): FieldProblem[] {
  const { schema, examples = {}, secretFields = [] } = checked
  const suggest = (word: string, known: readonly string[]) => suggestion(word, known, checked.synonyms)
  const field = String(issue.path.findLast((part) => typeof part === 'string'))
  const isSecret = secretFields.includes(field)
  const example = examples[isSecret ? field : String(issue.path.at(-1))]
  const problem = (what: string, fix = example): FieldProblem[] => [
    { path: issue.path, what, ...(fix && { fix }) },
  ]
  const value = at(checked.value, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownFields(schema, issue.path, checked.value)
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
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

/** Returns what another tool's word means here, a `Did you mean …?`, or else the known names. */
function suggestion(word: string, known: readonly string[], synonyms: Checked['synonyms'] = {}): string {
  const meant = Object.hasOwn(synonyms, word) ? synonyms[word]?.find((one) => known.includes(one)) : undefined
  if (meant) return `Write ${meant}.`
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
