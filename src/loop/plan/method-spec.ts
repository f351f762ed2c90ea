import { z } from 'zod'
import type { BudgetMatch } from '../../schema/ledger/budget-match.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Strategy } from '../../strategy.ts'
import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'

/** A strategy with the digest of its source. */
export interface KnownStrategy {
  strategy: Strategy
  /** SHA-256 of its source. */
  digest: string
}

/** Splits a list of methods, such as `sequential[maxInner=5,patience=3],B=baseline`, or a list of options at the commas outside brackets. */
export function splitMethods(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '[') depth++
    else if (character === ']') depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Options of a method that come from the config file, and the place of each. */
export interface BaseOptions {
  options: Readonly<Record<string, unknown>>
  where(option: string): string
}

/** Parses one method of `--methods`. Returns the method, or all problems. */
export function parseMethod(
  text: string,
  known: readonly KnownStrategy[],
  base?: BaseOptions,
  /** `METHOD:unit` that methods with a number of attempts match if they set neither. */
  matched?: string,
): { method: Method } | { problems: Problem[] } {
  const match = /^(?:(?<label>[\w.-]+)=)?(?<name>[^[\]=]+)(?:\[(?<options>.*)\])?$/s.exec(text)
  const where = `--methods ${text}`
  if (!match?.groups)
    return {
      problems: [
        { where, what: 'is not a method', fix: 'Write name, name[option=value,…] or label=name[…].' },
      ],
    }
  const { label, name = '', options = '' } = match.groups
  const found = known.find(({ strategy }) => strategy.name === name || strategy.aliases?.includes(name))
  if (!found) return { problems: [unknownName(where, 'method', name, namesOf(known), 'bench methods')] }
  const { strategy, digest } = found

  const problems: Problem[] = []
  const given: Record<string, unknown> = { ...base?.options }
  const seen = new Set<string>()
  const written = new Set<string>()
  let toMatch: string | undefined
  const shape: Record<string, z.ZodType> =
    strategy.options instanceof z.ZodObject ? strategy.options.shape : {}
  const takes = [...Object.keys(shape), ...(strategy.attempts === undefined ? [] : ['match'])]
  for (const key of Object.keys(given))
    if (base && !Object.hasOwn(shape, key)) {
      delete given[key]
      problems.push(
        unknownName(base.where(key), 'option', key, Object.keys(shape), `bench methods ${strategy.name}`),
      )
    }
  for (const pair of splitMethods(options)) {
    const [key = '', value] = pair.split(/=(.*)/s).map((part) => part.trim())
    if (seen.has(key))
      problems.push({ where, what: `sets option "${key}" twice`, fix: 'Set each option once.' })
    else if (value === undefined)
      problems.push({ where, what: `option "${key}" has no value`, fix: `Write ${key}=VALUE.` })
    else if (key === 'match' && strategy.attempts !== undefined) toMatch = value
    else if (!Object.hasOwn(shape, key))
      problems.push(unknownName(where, 'option', key, takes, `bench methods ${strategy.name}`))
    else {
      written.add(key)
      given[key] = fromText(
        value,
        z.toJSONSchema(shape[key] as z.ZodType, { io: 'input', unrepresentable: 'any' }).type,
      )
    }
    seen.add(key)
  }
  const parsed = strategy.options.safeParse(given, { jitless: true }) as z.ZodSafeParseResult<
    Record<string, unknown>
  >
  if (!parsed.success)
    for (const issue of parsed.error.issues) {
      const option = String(issue.path[0])
      const isBase = base && Object.hasOwn(base.options, option) && !written.has(option)
      problems.push({
        where: isBase ? base.where(option) : where,
        what: `option "${issue.path.join('.')}": ${issue.message}`,
        fix: `See bench methods ${strategy.name}.`,
      })
    }
  const { attempts } = strategy
  if (toMatch !== undefined && attempts !== undefined && written.has(attempts))
    problems.push({
      where,
      what: `sets both match and ${attempts}, which conflict`,
      fix: 'Set one of them.',
    })
  if (problems.length > 0 || !parsed.success) return { problems }
  // The baseline makes one ask, so it matches another method only if its options say so.
  const isControl = attempts !== undefined && !written.has(attempts) && strategy.name !== 'baseline'
  const added = toMatch === undefined && matched !== undefined && isControl ? matched : undefined
  const budget = matchOf(toMatch ?? added)
  const { method, unit } = budget.match ?? {}
  const parts = [options.replace(/\s+/g, ''), added && `match=${method}:${unit}`].filter(Boolean)
  const shown = parts.length === 0 ? strategy.name : `${strategy.name}[${parts.join(',')}]`
  return {
    method: {
      label: label ?? shown,
      strategy: strategy.name,
      options: parsed.data,
      digest,
      ...budget,
    },
  }
}

/** Parses `METHOD:unit`; the default unit is tokens. The caller checks that both exist. */
function matchOf(text: string | undefined): Pick<Method, 'match'> {
  if (text === undefined) return {}
  const [, method = text, unit = 'tokens'] = /^(.*?)(?::(\w*))?$/s.exec(text.replace(/\s+/g, '')) ?? []
  return { match: { method, unit: unit as BudgetMatch['unit'], baseline: '' } }
}

/** Most known names in a message. */
const maxKnown = 12

/** Returns the problem of an unknown name. It suggests the nearest known name, or lists the first known names. */
export function unknownName(
  where: string,
  kind: string,
  name: string,
  known: readonly string[],
  list: string,
): Problem {
  const more = known.length > maxKnown ? ` … and ${known.length - maxKnown} more` : ''
  return {
    where,
    what: `there is no ${kind} "${name}"`,
    fix:
      didYouMean(name, known, '"') ??
      `Known: ${known.slice(0, maxKnown).join(', ') || 'none'}${more}. See ${list}.`,
  }
}

function namesOf(known: readonly KnownStrategy[]): string[] {
  return known.flatMap(({ strategy }) => [strategy.name, ...(strategy.aliases ?? [])])
}

function fromText(value: string, type: unknown): unknown {
  if (type === 'number' || type === 'integer')
    return value === '' || Number.isNaN(Number(value)) ? value : Number(value)
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}
