import type { Problem } from '../../../text/errors.ts'
import { didYouMean } from '../../../text/near-word.ts'
import type { Path } from '../../../yaml/raw.ts'
import { renderTemplate, TemplateError, templateNeeds } from '../template.ts'
import { listOutputs } from './list-outputs.ts'
import type { Site } from './list-states.ts'
import { sampleVariables, variablesOf } from './sample-variables.ts'

/** Where a persona is used: as the prompt of a state, or, without one, as a system prompt. */
export interface PersonaUse {
  site?: Site
  path: Path
}

/** The one variable of a system prompt. */
const systemVariables = ['agent']

/** Returns what is wrong with a persona as a template, with the places of its file: by itself, and where it is used. */
export function checkTemplates(
  text: string,
  shown: string,
  uses: readonly PersonaUse[],
  sites: readonly Site[],
  lineOf: (path: Path) => string,
): Problem[] {
  try {
    const needs = templateNeeds(text)
    const found = new Map<string, { problem: Problem; states: string[] }>()
    const add = (problem: Problem, state: string) => {
      const key = `${problem.where}\n${problem.what}`
      const same = found.get(key) ?? { problem, states: [] }
      same.states.push(state)
      found.set(key, same)
    }
    for (const { site, path } of uses) {
      const known = site ? variablesOf(site) : systemVariables
      const user = site ? `state "${site.name}"` : path.slice(0, -1).join('.')
      const strange = needs.filter(({ name }) => !known.includes(name))
      for (const { name, line, column } of strange)
        add(unknownVariable(name, `${shown}:${line}:${column}`, known, site === undefined), user)
      if (strange.length > 0) continue
      const wrong = tryTemplate(text, site, sites)
      if (wrong) add(problemOf(wrong, shown), user)
    }
    return [...found.values()].map(({ problem, states }) => ({
      ...problem,
      what: `${problem.what} (used by ${states.join(', ')}${placeOf(uses, states, lineOf)})`,
    }))
  } catch (error) {
    if (error instanceof TemplateError) return [problemOf(error, shown)]
    throw error
  }
}

/** Returns the line of the only use. */
function placeOf(
  uses: readonly PersonaUse[],
  states: readonly string[],
  lineOf: (path: Path) => string,
): string {
  const [only] = uses
  return states.length === 1 && uses.length === 1 && only ? `, line ${lineOf(only.path)}` : ''
}

const problemOf = ({ message, line, column, fix }: TemplateError, shown: string): Problem => ({
  where: `${shown}:${line}:${column}`,
  what: message,
  ...(fix !== undefined && { fix }),
})

function unknownVariable(name: string, where: string, known: readonly string[], isSystem: boolean): Problem {
  if (isSystem)
    return {
      where,
      what: `a system prompt has no variable "${name}"`,
      fix: 'Use agent alone; the persona of a state has all variables.',
    }
  return {
    where,
    what: `there is no variable "${name}"`,
    fix: didYouMean(name, known) ?? `Use one of ${known.join(', ')}, or add an input.`,
  }
}

/** Renders a template with samples of what its state can have. Returns what fails first. */
function tryTemplate(
  text: string,
  site: Site | undefined,
  sites: readonly Site[],
): TemplateError | undefined {
  const samples = site ? sampleVariables(site, listOutputs(sites), sites) : [{ agent: 'agent' }]
  for (const variables of samples)
    try {
      renderTemplate(text, variables)
    } catch (error) {
      if (error instanceof TemplateError) return error
      throw error
    }
  return undefined
}
