import { renderProblems, type TemplateError } from '../template.ts'
import { partOf, withRemedy } from './template-problems.ts'

type Variables = Readonly<Record<string, unknown>>

/** Most times that a sample is rendered again. */
const mostRounds = 20

/**
 * Renders a template with samples of what a state can have. Returns what fails, in the order of the text, with its remedy. Variables that
 * are `unknown` are told elsewhere.
 */
export function wrongParts(
  text: string,
  samples: readonly Variables[],
  unknown: readonly string[],
): TemplateError[] {
  const found = new Map<string, TemplateError>()
  const nothing = Object.fromEntries(unknown.map((name) => [name, '']))
  for (const sample of samples)
    for (const error of problemsOf(text, { ...sample, ...nothing })) {
      const place = `${error.line}:${error.column}`
      const name = partOf(error)?.list.split('.')[0] ?? ''
      if (!found.has(place) && !unknown.includes(name)) found.set(place, withRemedy(error))
    }
  return [...found.values()].sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Renders again with the parts that inputs lack, since what fails in a condition hides what it guards. */
function problemsOf(text: string, sample: Variables): TemplateError[] {
  const found: TemplateError[] = []
  const parts: Record<string, string> = {}
  for (let round = 0; round < mostRounds; round++) {
    const errors = renderProblems(text, withParts(sample, parts))
    found.push(...errors)
    const lacking = errors.flatMap((error) => partOf(error)?.part ?? [])
    const isNew = lacking.filter((part) => !Object.hasOwn(parts, part))
    if (isNew.length === 0) break
    for (const part of isNew) parts[part] = 'Text.'
  }
  return found
}

/** Adds parts to each input. */
const withParts = (sample: Variables, parts: Readonly<Record<string, string>>): Variables =>
  Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one: object) => ({ ...parts, ...one })) : value,
    ]),
  )
