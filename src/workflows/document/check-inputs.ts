import {
  type Add,
  asList,
  asMap,
  asText,
  checkTwice,
  type Path,
  type RawMap,
  suggestName,
} from '../../yaml/raw.ts'
import { asInputs, canComeBefore, listOutputs, matching, type Output } from './list-outputs.ts'
import { type Input, reachedFrom, type Site } from './list-states.ts'

/** Reports inputs that cannot exist, checks of such, and a wrong `deliver`. */
export function checkInputs(machine: RawMap, sites: readonly Site[], add: Add): void {
  const outputs = listOutputs(sites)
  const known = ['task', ...asInputs(outputs)]
  for (const site of sites) {
    checkTwice(
      site.inputs.map(({ pattern }) => pattern),
      [...site.path, 'input'],
      add,
    )
    for (const key of Object.keys(asMap(site.node.input) ?? {}))
      if (!/^[a-z][a-z0-9_]*$/.test(key))
        add(
          [...site.path, 'input'],
          `has the key "${key}", which templates could not use`,
          'Use small letters, digits and underscores.',
        )
    const names = new Set<string>()
    for (const input of site.inputs) {
      checkInput(input, site, { sites, outputs, known }, add)
      checkName(input, site, names, add)
    }
    asList(site.node.on_enter).forEach((action, i) => {
      const pattern = asText(asMap(action)?.validate)
      const path = [...site.path, 'on_enter', i, 'validate']
      if (pattern) checkInput({ pattern, path }, site, { sites, outputs, known }, add)
    })
    checkTwice(asList(site.node.scores), [...site.path, 'scores'], add)
    if (asList(site.node.scores).length > 0 && site.inputs.length === 0)
      add(
        [...site.path, 'scores'],
        'has nothing to score: the state has no input',
        'Write input:, or remove it.',
      )
  }
  checkDeliver(machine, sites, outputs, add)
}

interface Known {
  sites: readonly Site[]
  outputs: readonly Output[]
  known: readonly string[]
}

function checkInput(
  { pattern, path }: { pattern: string; path: Path },
  site: Site,
  { sites, outputs, known }: Known,
  add: Add,
): void {
  if (pattern === 'task') return
  const found = matching(pattern, outputs)
  const problem =
    missingProblem(pattern, found, known) ?? tooLate(pattern, found, site, { sites, outputs, known })
  if (problem) add(path, ...problem)
}

function missingProblem(
  pattern: string,
  found: readonly Output[],
  known: readonly string[],
): [string, string] | undefined {
  if (pattern.includes('{agent}'))
    return ['an input has no {agent}', `Write ${pattern.replaceAll('{agent}', '*')} for those of all agents.`]
  if (pattern.includes('**')) return ['** is not known', 'Write * for each folder or name.']
  if (found.length > 0) return undefined
  // The source of many such workflows calls the task an input.
  const isTask = /^inputs?(?:\b|_exists$)|story/.test(pattern)
  const fix = isTask
    ? 'Write task, which is the text of the task.'
    : suggestName(pattern, known, 'Remove it.')
  return [`no state writes ${pattern}`, fix]
}

function tooLate(
  pattern: string,
  found: readonly Output[],
  site: Site,
  { sites, outputs }: Known,
): [string, string] | undefined {
  if (found.some((output) => canComeBefore(output, site, sites))) return undefined
  // A broken way is told once, where it breaks.
  const first = sites.filter(({ type }) => type === 'initial').map(({ name }) => name)
  const reached = reachedFrom(first, sites)
  if (![site, ...found.map((output) => output.site)].every(({ name }) => reached.has(name))) return undefined
  const writers = [...new Set(found.map((output) => `"${output.site.name}"`))]
  const earlier = asInputs(outputs.filter((output) => canComeBefore(output, site, sites)))
  const who = writers.length === 1 ? `only ${writers[0]} writes` : `only ${writers.join(' and ')} write`
  return [
    `${who} ${pattern}, and cannot come before "${site.name}"`,
    `Use one of ${['task', ...earlier].join(', ')}, or change the transitions.`,
  ]
}

/** Names that a template has for something else. */
export const ownVariables = [
  'task',
  'agent',
  'state',
  'visit',
  'guidance',
  'feedback',
  'agent_list',
  'inputs',
]

function checkName({ name, path }: Input, { path: state }: Site, told: Set<string>, add: Add): void {
  if (name === undefined || told.has(name) || !ownVariables.includes(name)) return
  told.add(name)
  const isKey = path[state.length + 1] === name
  add(
    isKey ? [...state, 'input', name] : path,
    `templates have the name "${name}" for something else`,
    isKey ? 'Write another key.' : 'Give it a key: `input: { my_name: PATH }`.',
  )
}

function checkDeliver(machine: RawMap, sites: readonly Site[], outputs: readonly Output[], add: Add): void {
  const deliver = asText(machine.deliver)
  const names = [...new Set(outputs.map(({ file }) => file))]
  if (deliver && !names.includes(deliver)) {
    const several = matching(deliver.replaceAll('{agent}', '*'), outputs).map(({ file }) => file)
    if (several.length > 0) add(['deliver'], 'must be one output', `Use one of ${several.join(', ')}.`)
    else add(['deliver'], `no state writes ${deliver}`, suggestName(deliver, names, 'Remove it.'))
  }
  const asking = sites.filter(({ isAsking }) => isAsking)
  const isClear = asking.length > 0 && sites.every(({ type }) => type !== undefined)
  if (!machine.deliver && isClear && !asking.some(produces))
    add(
      ['states'],
      'no state produces anything that could be handed in',
      'Write work: produce at a state, or deliver: with an output.',
    )
}

const produces = ({ isGate, node }: Site) =>
  !isGate && (node.work ?? (node.scores === undefined ? 'produce' : 'judge')) === 'produce'
