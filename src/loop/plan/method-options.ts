import { z } from 'zod'
import type { Count } from '../../schema/method/declaration.ts'
import type { Strategy } from '../../strategy.ts'
import type { Problem } from '../../text/errors.ts'
import { inWords, placedText } from '../../text/issue-text.ts'
import { unknownName } from './unknown-name.ts'

/** A strategy with the digest of its source. */
export interface KnownStrategy {
  strategy: Strategy
  /** SHA-256 of its source. */
  digest: string
}

/** Options of a method that come from the config file, and the place of each. */
export interface BaseOptions {
  options: Readonly<Record<string, unknown>>
  where(option: string): string
  /** The document after the colon of the entry's strategy, and its place. */
  document?: { text: string; where: string } | undefined
  /** The tools of the entry, and their place. */
  tools?: ToolsText | undefined
}

/** The names of tools that a method is given in place of those of `--tools`, as written. */
export interface ToolsText {
  text: string
  where: string
}

interface ReadOptions {
  options: Record<string, unknown>
  /** The options that the text sets. */
  written: ReadonlySet<string>
  /** The value of `match`, which no strategy has among its own options. */
  match: string | undefined
  /** The value of `tools`, which every strategy takes that has no option of that name itself. */
  tools: ToolsText | undefined
}

/** Reads options, each written as `option=value`, over those of the config file. Returns them, or all problems. */
export function readOptions(
  pairs: readonly string[],
  where: string,
  strategy: Strategy,
  base: BaseOptions | undefined,
): ReadOptions | { problems: Problem[] } {
  const shape: Record<string, z.ZodType> =
    strategy.options instanceof z.ZodObject ? strategy.options.shape : {}
  const problems: Problem[] = []
  const own = baseValues(strategy, Object.keys(shape), base, problems)
  const written = readPairs(pairs, where, strategy, shape, problems)
  const { match, tools, values } = written
  const isOwn = (option: string) => Object.hasOwn(own, option) && !Object.hasOwn(values, option)
  const parsed = strategy.options.safeParse(
    { ...own, ...values },
    { ...inWords, jitless: true },
  ) as z.ZodSafeParseResult<Record<string, unknown>>
  for (const issue of parsed.error?.issues ?? [])
    problems.push({
      where: base && isOwn(String(issue.path[0])) ? placeOf(String(issue.path[0]), strategy, base) : where,
      what: `option "${String(issue.path[0])}": ${placedText({ ...issue, path: issue.path.slice(1) })}`,
      fix: `See bench methods ${strategy.name}.`,
    })
  const { attempts } = strategy
  if (match !== undefined && attempts !== undefined && Object.hasOwn(values, attempts))
    problems.push({ where, what: `sets both match and ${attempts}, which conflict`, fix: 'Set one of them.' })
  if (problems.length > 0 || !parsed.success) return { problems }
  return {
    options: parsed.data,
    written: new Set(Object.keys(values)),
    match,
    tools: tools === undefined ? base?.tools : { text: tools, where },
  }
}

/** Returns the options of the config file. Adds a problem for each that the strategy does not have. */
function baseValues(
  { name, document }: Strategy,
  known: readonly string[],
  base: BaseOptions | undefined,
  problems: Problem[],
): Record<string, unknown> {
  const entries = Object.entries(base?.options ?? {})
  for (const [option] of entries)
    if (base && !known.includes(option))
      problems.push(unknownName(base.where(option), 'option', option, known, `bench methods ${name}`))
  return {
    ...Object.fromEntries(entries.filter(([option]) => known.includes(option))),
    ...(document !== undefined && base?.document && { [document]: base.document.text }),
  }
}

const placeOf = (option: string, { document }: Strategy, base: BaseOptions) =>
  base.document && option === document ? base.document.where : base.where(option)

function readPairs(
  pairs: readonly string[],
  where: string,
  { name, attempts, asksModels }: Strategy,
  shape: Readonly<Record<string, z.ZodType>>,
  problems: Problem[],
): { values: Record<string, unknown>; match: string | undefined; tools: string | undefined } {
  const hasOwnTools = Object.hasOwn(shape, 'tools')
  const general = [...(attempts === undefined ? [] : ['match']), ...(hasOwnTools ? [] : ['tools'])]
  const takes = [...Object.keys(shape), ...general]
  const values: Record<string, unknown> = {}
  const seen = new Set<string>()
  let match: string | undefined
  let tools: string | undefined
  for (const pair of pairs) {
    const [key = '', value] = pair.split(/=(.*)/s).map((part) => part.trim())
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (seen.has(key))
      problems.push({ where, what: `sets option "${key}" twice`, fix: 'Set each option once.' })
    else if (value === undefined)
      problems.push({
        where,
        what: `option "${key}" has no value`,
        fix:
          tools === undefined
            ? `Write ${key}=VALUE${asksModels ? `, or put quotes around a word of its command that has brackets: '[${key}]'` : ''}.`
            : `Write ${key}=VALUE, or join tools with +: tools=${tools}+${key}.`,
      })
    else if (key === 'match' && attempts !== undefined) match = value
    else if (key === 'tools' && !hasOwnTools) tools = value
    else if (!schema) problems.push(unknownName(where, 'option', key, takes, `bench methods ${name}`))
    else values[key] = fromText(value, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).type)
    seen.add(key)
  }
  return { values, match, tools }
}

function fromText(value: string, type: unknown): unknown {
  if (type === 'number' || type === 'integer')
    return value === '' || Number.isNaN(Number(value)) ? value : Number(value)
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}

/** Returns a count of a declaration: itself, or the value of the option that it names; 0 if there is none. */
export const countOf = (count: Count | undefined, options: Readonly<Record<string, unknown>>): number =>
  typeof count === 'string' ? Number(options[count]) : (count ?? 0)
