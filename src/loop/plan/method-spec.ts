import { z } from 'zod'
import type { BudgetMatch } from '../../schema/ledger/budget-match.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Strategy } from '../../strategy.ts'
import type { Problem } from '../../text/errors.ts'
import { type BaseOptions, type KnownStrategy, readOptions, type ToolsText } from './method-options.ts'
import { type MethodText, readMethodText, shortLabel, splitMethods } from './method-text.ts'
import { unknownName } from './unknown-name.ts'

interface ResolvedMethod {
  method: Method
  tools: ToolsText | undefined
}

/** Parses one method of `--methods`. Returns the method, or all problems. */
export function parseMethod(
  text: string,
  known: readonly KnownStrategy[],
): ResolvedMethod | { problems: Problem[] } {
  const where = `--methods ${text}`
  const written = readMethodText(text)
  return written ? resolveMethod(written, where, known) : { problems: [notAMethod(where)] }
}

/** Returns the problem of a text that is not a method. */
export const notAMethod = (where: string): Problem => ({
  where,
  what: 'is not a method',
  fix: 'Write name, name:document, name[option=value,…] or label=name[…]. Close each bracket, or put quotes around the word of a command that has one.',
})

/** Finds a method's strategy and reads its options. Returns the method, or all problems. */
export function resolveMethod(
  written: MethodText,
  where: string,
  known: readonly KnownStrategy[],
  base?: BaseOptions,
  /** `METHOD:unit` that methods with a number of attempts match if they set neither. */
  matched?: string,
): ResolvedMethod | { problems: Problem[] } {
  const { label, name } = written
  const found = known.find(({ strategy }) => strategy.name === name || strategy.aliases?.includes(name))
  if (!found) return { problems: [unknownMethod(where, name, known)] }
  const { strategy, digest } = found
  const wrong = documentProblems(written, where, strategy, known, base)
  wrong.push(...misleadingLabel(written, where, strategy, known))
  if (wrong.length > 0) return { problems: wrong }

  const pairs = [...documentPair(written, strategy), ...splitMethods(written.options)]
  const read = readOptions(pairs, where, strategy, base)
  if ('problems' in read) return read
  const { attempts } = strategy
  // The baseline makes one ask, so it matches another method only if its options say so.
  const isControl = attempts !== undefined && !read.written.has(attempts) && strategy.name !== 'baseline'
  const added = read.match === undefined && matched !== undefined && isControl ? matched : undefined
  const budget = matchOf(read.match ?? added)
  const { method, unit } = budget.match ?? {}
  const shown = shownLabel(strategy.name, written, strategy, added && `${method}:${unit}`)
  const { options, tools } = read
  return { method: { label: label ?? shown, strategy: strategy.name, options, digest, ...budget }, tools }
}

/**
 * Returns the label of a method without one: its name, and what it sets. A method that matches the spending of another one
 * names it: `self-consistency=sequential`. `added` is what it matches without being told to.
 */
export function shownLabel(name: string, written: MethodText, strategy: Strategy, added?: string): string {
  const typed = [...documentPair(written, strategy), written.options, added && `match=${added}`]
  // The words of a command are told apart by its spaces.
  const plain = (text: string) => (strategy.asksModels ? text.trim() : text.replace(/\s+/g, ''))
  const sets = typed.flatMap((text) => (text && plain(text)) || []).join(',')
  const label = sets === '' ? name : `${name}[${sets}]`
  return strategy.attempts === undefined ? label : shortLabel(label)
}

/**
 * Refuses the name of a control as the label of another strategy: tables write `self-consistency=sequential` for a
 * self-consistency that matches the spending of sequential.
 */
function misleadingLabel(
  { label }: MethodText,
  where: string,
  { name }: Strategy,
  known: readonly KnownStrategy[],
): Problem[] {
  const isControl = known.some(
    ({ strategy }) =>
      strategy.name === label && strategy.name !== 'baseline' && strategy.attempts !== undefined,
  )
  if (!isControl || label === name) return []
  return [
    {
      where,
      what: `"${label}" is another strategy, and here it would be the label of ${name}`,
      fix: `Write ${label}[match=${name}] for a ${label} that may spend as much as ${name}, or choose another label.`,
    },
  ]
}

/** Parses `METHOD:unit`; the default unit is tokens. The caller checks that both exist. */
function matchOf(text: string | undefined): Pick<Method, 'match'> {
  if (text === undefined) return {}
  const [, method = text, unit = 'tokens'] = /^(.*?)(?::(\w*))?$/s.exec(text.replace(/\s+/g, '')) ?? []
  return { match: { method, unit: unit as BudgetMatch['unit'], baseline: '' } }
}

/** Returns `option=DOCUMENT` for the text after a method's colon; empty without one. */
const documentPair = ({ document: text }: MethodText, { document }: Strategy): string[] =>
  document === undefined || text === undefined ? [] : [`${document}=${text}`]

function documentProblems(
  { document: text, options }: MethodText,
  where: string,
  strategy: Strategy,
  known: readonly KnownStrategy[],
  base: BaseOptions | undefined,
): Problem[] {
  const { document } = strategy
  const thing = strategy.asksModels ? 'command' : 'document'
  const problems: Problem[] = []
  const add = (at: string, given: string, isAlsoOption: boolean) => {
    if (document === undefined) problems.push(noDocument(at, strategy, given, known))
    else if (given === '')
      problems.push({
        where: at,
        what: `has no ${thing} after the colon`,
        fix: strategy.asksModels ? commandRemedy : `Write ${strategy.name}:FILE, or leave out the colon.`,
      })
    else if (isAlsoOption)
      problems.push({
        where: at,
        what: `names its ${thing} twice: after the colon and in the option "${document}"`,
        fix: 'Name it in one of the two places.',
      })
  }
  const isSet = splitMethods(options).some((pair) => pair.split('=')[0]?.trim() === document)
  if (text !== undefined) add(where, text, isSet)
  if (base?.document)
    add(base.document.where, base.document.text, Object.hasOwn(base.options, document ?? ''))
  return problems
}

function noDocument(
  where: string,
  { name, options }: Strategy,
  text: string,
  known: readonly KnownStrategy[],
): Problem {
  const option = text.split('=')[0]?.trim() ?? ''
  const isOption =
    text.includes('=') && options instanceof z.ZodObject && Object.hasOwn(options.shape, option)
  const others = documentMethods(known)
  const rest = others.length > 0 ? ` Methods that read a document: ${others.join(', ')}.` : ''
  return {
    where,
    what: `"${name}" reads no document, so nothing may follow a colon`,
    fix: isOption ? `Write ${name}[${text}].` : `Leave out :${text}.${rest}`,
  }
}

const documentMethods = (known: readonly KnownStrategy[]) =>
  known.flatMap(({ strategy: { name, document, asksModels } }) =>
    document === undefined || asksModels ? [] : [name],
  )

/** How a method takes the command of a program that asks models itself. */
export const commandRemedy = "Write it after the colon: --methods 'external:python3 app.py'."

/** How a method takes a file with a prompt. */
export const promptRemedy = (file: string): string =>
  `A prompt is an option of a method: write 'baseline[prompt=${file}]'.`

/** Returns the problem of an unknown method. The name of a file is one that was cut at a comma, or lacks its method. */
function unknownMethod(where: string, name: string, known: readonly KnownStrategy[]): Problem {
  const names = known.flatMap(({ strategy }) => [strategy.name, ...(strategy.aliases ?? [])])
  const problem = unknownName(where, 'method', name, names, 'bench methods')
  if (/\.(?:md|txt)$/.test(name)) return { ...problem, fix: promptRemedy(name) }
  const readers = documentMethods(known)
  if (!/\.(ya?ml|json)(#|$)/.test(name) || readers.length === 0) return problem
  const written = readers.map((reader) => `${reader}:${name}`).join(' or ')
  const fix = `Write ${written}. A file name with a comma must be an option of methods.NAME in bench.config.yaml.`
  return { ...problem, fix }
}
