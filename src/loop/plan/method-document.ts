import { z } from 'zod'
import type { Strategy } from '../../strategy.ts'
import type { Problem } from '../../text/errors.ts'
import type { KnownStrategy } from './known-strategy.ts'
import type { BaseOptions } from './method-options.ts'
import { type MethodText, splitMethods } from './method-text.ts'
import { unknownName } from './unknown-name.ts'

/** Returns `option=DOCUMENT` for the text after a method's colon; empty without one. */
export const documentPair = ({ document: text }: MethodText, { document }: Strategy): string[] =>
  document === undefined || text === undefined ? [] : [`${document}=${text}`]

/** Returns what is wrong with the documents after the colon of a method and of its entry in the config file. */
export function documentProblems(
  { document: text, options }: MethodText,
  where: string,
  strategy: Strategy,
  known: readonly KnownStrategy[],
  base: BaseOptions | undefined,
): Problem[] {
  const { document } = strategy
  const problems: Problem[] = []
  const add = (at: string, given: string, isAlsoOption: boolean) => {
    if (document === undefined) problems.push(noDocument(at, strategy, given, known))
    else if (given === '')
      problems.push({
        where: at,
        what: 'has no document after the colon',
        fix: `Write ${strategy.name}:FILE, or leave out the colon.`,
      })
    else if (isAlsoOption)
      problems.push({
        where: at,
        what: `names its document twice: after the colon and in the option "${document}"`,
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
  known.flatMap(({ strategy: { name, document } }) => (document === undefined ? [] : [name]))

/** Returns the problem of an unknown method. The name of a file is one that was cut at a comma, or lacks its method. */
export function unknownMethod(where: string, name: string, known: readonly KnownStrategy[]): Problem {
  const names = known.flatMap(({ strategy }) => [strategy.name, ...(strategy.aliases ?? [])])
  const problem = unknownName(where, 'method', name, names, 'bench methods')
  const readers = documentMethods(known)
  if (!/\.(ya?ml|json)(#|$)/.test(name) || readers.length === 0) return problem
  const written = readers.map((reader) => `${reader}:${name}`).join(' or ')
  const fix = `Write ${written}. A file name with a comma must be an option of methods.NAME in bench.config.yaml.`
  return { ...problem, fix }
}
