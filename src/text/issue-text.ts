import type { z } from 'zod'

/** What a value is to be, in words. */
const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', bigint: 'a whole number' },
  ...{ boolean: 'true or false', array: 'a list', tuple: 'a list', set: 'a list', object: 'an object' },
  ...{ record: 'an object', map: 'an object', null: 'null', date: 'a date', function: 'a function' },
}

const forms: Readonly<Record<string, string>> = {
  ...{ date: 'is not a day such as 2025-01-31', datetime: 'is not a time such as 2025-01-31T10:00:00Z' },
  ...{ url: 'is not an address such as https://host/path', json_string: 'is not JSON' },
}

/** Options of `safeParse` and `parse`: what a schema has no words for is said in those of `issueText`. */
export const inWords = { error: (issue: z.core.$ZodRawIssue) => issueText(issue) } as const

/**
 * Returns what is wrong with a value that a schema refused, to follow the name of the value: `is not a number`. It quotes no value, which may be
 * a key. Every message for people is made with it, since the schema library speaks of types.
 */
export function issueText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is missing' : notAny([kindOf(issue.expected)])
    case 'invalid_value':
      return isMissing(issue) ? 'is missing' : notAny(issue.values.map(String))
    case 'too_small':
      return sizeText(issue.origin, 'at least', Number(issue.minimum), issue)
    case 'too_big':
      return sizeText(issue.origin, 'at most', Number(issue.maximum), issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return forms[issue.format] ?? `is not of the form ${issue.pattern ?? issue.format}`
    case 'unrecognized_keys':
      return `has the unknown field${issue.keys.length > 1 ? 's' : ''} ${issue.keys.join(', ')}`
    case 'invalid_union':
      return unionText(issue)
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'has a name that is not allowed'
    case 'invalid_element':
      return `has an entry that ${issue.issues[0]?.message ?? 'is not allowed'}`
    default:
      return 'is not allowed'
  }
}

/** The issues of a library have no input, and do not tell. */
const isMissing = (issue: z.core.$ZodRawIssue) => 'input' in issue && issue.input === undefined

const kindOf = (expected: string): string =>
  kinds[expected] ?? (expected === 'never' || expected === 'undefined' ? 'absent' : 'of the right kind')

const notAny = (all: readonly string[]): string => {
  const names = [...new Set(all)]
  const last = names.pop() ?? ''
  if (names.length === 0) return last === 'absent' ? 'must be absent' : `is not ${last}`
  return `is not ${names.join(', ')} or ${last}`
}

function sizeText(
  origin: string,
  bound: 'at least' | 'at most',
  size: number,
  { inclusive, exact }: { inclusive?: boolean; exact?: boolean },
): string {
  const isLeast = bound === 'at least'
  if (['number', 'int', 'bigint', 'date'].includes(origin))
    return inclusive === false
      ? `must be ${isLeast ? 'more' : 'less'} than ${size}`
      : `must be ${bound} ${size}`
  if (isLeast && size === 1 && !exact) return 'is empty'
  const unit = origin === 'string' ? 'character' : origin === 'file' ? 'byte' : 'entry'
  const units = size === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`
  return `must have ${exact ? 'exactly' : bound} ${size} ${units}`
}

/** Of the form that has the right type its first mistake is told, else what types there are. */
function unionText(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (isMissing(issue)) return 'is missing'
  const { errors, discriminator } = issue
  const isOfOtherKind = ({ code, path }: z.core.$ZodIssue) =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
  const near = errors.filter((form) => !form.some(isOfOtherKind))
  const [first] = near.length === 1 ? (near[0] ?? []) : []
  if (first) return placedText(first)
  if (typeof discriminator === 'string') return `is no known ${discriminator}`
  const all = errors.flat().flatMap((error) => {
    if (error.path.length > 0) return []
    if (error.code === 'invalid_type') return [kindOf(error.expected)]
    return error.code === 'invalid_value' ? error.values.map(String) : []
  })
  return near.length === 0 && all.length > 0 ? notAny(all) : 'is not of a form that is known here'
}

/**
 * Returns what is wrong with a value or with one in it, `entry 1 is not a text`, with entries as people count them. In YAML an entry such as `true` is
 * no text without quotes.
 */
export function placedText({ path, message, ...issue }: z.core.$ZodIssue): string {
  const place = path.reduce<string>(
    (text, part) => text + (typeof part === 'number' ? ` entry ${part + 1}` : `.${String(part)}`),
    '',
  )
  const isBare =
    typeof path.at(-1) === 'number' && issue.code === 'invalid_type' && issue.expected === 'string'
  return `${place.slice(1)} ${message}`.trim() + (isBare ? '; put quotes around it' : '')
}
