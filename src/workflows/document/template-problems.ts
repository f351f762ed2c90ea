import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { ownVariables } from './check-inputs.ts'
import { inputGroups } from './input-groups.ts'
import { asInputs, type Output } from './list-outputs.ts'
import { TemplateError } from './template.ts'

/** The one variable of a system prompt. */
export const systemVariables: readonly string[] = ['agent']

/** Returns how to read the outputs that a template could name, by that name. */
export const namedOutputs = (outputs: readonly Output[]): Map<string, string> =>
  new Map(
    inputGroups(asInputs(outputs)).flatMap(({ name, patterns: [first] }) =>
      name !== undefined && first ? [[name, first.pattern]] : [],
    ),
  )

/** `input` is what would give the variable. */
export function unknownVariable(
  name: string,
  where: string,
  known: readonly string[],
  input?: string,
): Problem {
  if (known === systemVariables)
    return {
      where,
      what: `a system prompt has no variable "${name}"`,
      fix: 'Use agent alone; the persona of a state has all variables.',
    }
  const fix =
    input === undefined
      ? (didYouMean(name, known) ?? `Use one of ${known.join(', ')}, or add an input.`)
      : `Add ${input} to the input of the state.`
  return { where, what: `there is no variable "${name}"`, fix }
}

/** Returns the value that lacks a part, and the part; undefined for another error. */
export function partOf({ message }: TemplateError): { list: string; part: string } | undefined {
  const [, list, part] = /^there is no (.+)\.([^.]+) here$/.exec(message) ?? []
  return list === undefined || part === undefined ? undefined : { list, part }
}

/** Says what a text has, or how to read texts of which some may be missing. */
export function withRemedy(error: TemplateError): TemplateError {
  const lacking = partOf(error)
  if (!lacking) return error
  const { list, part } = lacking
  const place = [error.line, error.column] as const
  if (/^(?:\d+|first|last)$/.test(part))
    return new TemplateError(
      `${list}.${part} may be missing: an agent that failed gives nothing`,
      place,
      `Write {% for one in ${list} %} instead.`,
    )
  if (ownVariables.includes(list) && list !== 'inputs')
    return new TemplateError(error.message, place, `Write {{ ${list} }}, which has no parts.`)
  return new TemplateError(error.message, place, 'Each input has agent, path, state, name and text.')
}
