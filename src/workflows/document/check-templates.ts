import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import type { Path } from '../../yaml/raw.ts'
import { ownVariables } from './check-inputs.ts'
import {
  asInputs,
  type Input,
  inputPatterns,
  isSure,
  listOutputs,
  matchesPath,
  matching,
  type Output,
  type Site,
} from './list-states.ts'
import type { PersonaUse } from './personas.ts'
import { renderProblems, TemplateError, templateNeeds } from './template.ts'

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

const isWrongInput = ({ pattern, name }: Input, outputs: readonly Output[]) =>
  (pattern !== 'task' && (pattern.includes('**') || matching(pattern, outputs).length === 0)) ||
  ownVariables.includes(name ?? '')

type Variables = Readonly<Record<string, unknown>>

/** Most times that a sample is rendered again. */
const mostRounds = 20

/**
 * Renders a template with samples of what a state can have. Returns what fails, in the order of the text, with its remedy. Variables that
 * are `unknown` are told elsewhere.
 */
function wrongParts(
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

const withParts = (sample: Variables, parts: Readonly<Record<string, string>>): Variables =>
  Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one: object) => ({ ...parts, ...one })) : value,
    ]),
  )

const variablesOf = ({ inputs }: Site): string[] => [
  ...new Set([...ownVariables, ...inputs.flatMap(({ name }) => (name === undefined ? [] : [name]))]),
]

/**
 * Returns variables as a state may have them: with all inputs, with those of one agent alone, and without those that may be missing,
 * each in a first visit and in a later one with guidance.
 */
function sampleVariables(
  site: Site,
  outputs: readonly Output[],
  sites: readonly Site[],
): Record<string, unknown>[] {
  const read = outputs.filter(({ file }) => site.inputs.some(({ pattern }) => matchesPath(pattern, file)))
  const agents = new Set(read.map(({ agent }) => agent))
  const everything = () => true
  const keeps: ((output: Output) => boolean)[] = [
    everything,
    ...[...agents].map((agent) => (output: Output) => output.agent === agent || !isPartial(output)),
    (output) => isSure(output, site, sites),
  ]
  return keeps.flatMap((keep) => [
    variables(site, read.filter(keep), { visit: 1, guidance: '' }),
    variables(site, read.filter(keep), { visit: 2, guidance: 'Guidance.' }),
  ])
}

/** Whether an output is one of a fan-out, of which some agents may fail. */
const isPartial = ({ site }: Output) => site.type === 'fan-out'

function variables(
  { name: state, inputs }: Site,
  outputs: readonly Output[],
  { visit, guidance }: { visit: number; guidance: string },
): Record<string, unknown> {
  const texts = inputs.flatMap(({ name, pattern }) =>
    pattern === 'task' && name !== undefined
      ? [{ agent: '', path: pattern, state: '', name, text: 'Task.' }]
      : matching(pattern, outputs).map(({ file, agent, site }) => ({
          ...{ agent: agent ?? '', path: file, state: site.name, name: name ?? '', text: 'Text.' },
        })),
  )
  const names = new Set(inputs.flatMap(({ name }) => (name === undefined ? [] : [name])))
  return {
    ...Object.fromEntries([...names].map((name) => [name, texts.filter((one) => one.name === name)])),
    ...{ task: 'Task.', agent: 'agent', state, visit, guidance, feedback: guidance, inputs: texts },
    agent_list: [...new Set(texts.flatMap(({ agent }) => agent || []))].join(', '),
  }
}

const systemVariables: readonly string[] = ['agent']

/** Returns how to read the outputs that a template could name, by that name. */
const namedOutputs = (outputs: readonly Output[]): Map<string, string> =>
  new Map(
    inputPatterns(asInputs(outputs))
      .toReversed()
      .map(({ name, pattern }) => [name, pattern] as const),
  )

/** `input` is what would give the variable. */
function unknownVariable(name: string, where: string, known: readonly string[], input?: string): Problem {
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
function partOf({ message }: TemplateError): { list: string; part: string } | undefined {
  const [, list, part] = /^there is no (.+)\.([^.]+) here$/.exec(message) ?? []
  return list === undefined || part === undefined ? undefined : { list, part }
}

/** Says what a text has, or how to read texts of which some may be missing. */
function withRemedy(error: TemplateError): TemplateError {
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
