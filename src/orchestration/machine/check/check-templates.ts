import type { Problem } from '../../../text/errors.ts'
import type { Path } from '../../../yaml/raw.ts'
import { TemplateError, templateNeeds } from '../template.ts'
import { ownVariables } from './check-inputs.ts'
import { listOutputs, matching, type Output } from './list-outputs.ts'
import type { Input, Site } from './list-states.ts'
import type { PersonaUse } from './persona-uses.ts'
import { sampleVariables, variablesOf } from './sample-variables.ts'
import { namedOutputs, systemVariables, unknownVariable } from './template-problems.ts'
import { wrongParts } from './wrong-parts.ts'

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
    const outputs = listOutputs(sites)
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
      const folders = site ? namedOutputs(outputs) : new Map<string, string>()
      for (const { name, line, column } of strange) {
        // What an input that is wrong itself should have given is told there.
        if (folders.has(name) && site?.inputs.some((input) => isWrongInput(input, outputs))) continue
        add(unknownVariable(name, `${shown}:${line}:${column}`, known, site && folders.get(name)), user)
      }
      const samples = site ? sampleVariables(site, outputs, sites) : [{ agent: 'agent' }]
      const unknown = strange.map(({ name }) => name)
      for (const wrong of wrongParts(text, samples, unknown)) add(problemOf(wrong, shown), user)
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

/** Whether an input is told to be wrong. */
const isWrongInput = ({ pattern, name }: Input, outputs: readonly Output[]) =>
  (pattern !== 'task' && (pattern.includes('**') || matching(pattern, outputs).length === 0)) ||
  ownVariables.includes(name ?? '')
