import { outputPathProblem } from '../../sandbox/folders/paths.ts'
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
import {
  asInputs,
  canComeBefore,
  type Input,
  listOutputs,
  matching,
  type Output,
  reachedFrom,
  type Site,
} from './list-states.ts'

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

/** Reports outputs with wrong paths, and those that several would write. */
export function checkOutputs(
  sites: readonly Site[],
  lineOf: (path: Output['path']) => string,
  add: Add,
): void {
  const outputs = listOutputs(sites)
  for (const site of sites) {
    const output = asText(site.node.output)
    if (site.type === 'fan-out' && output && !output.includes('{agent}') && wrongPath(output) === undefined)
      add(
        [...site.path, 'output'],
        `all agents would write ${output}`,
        `Write {agent} where the name of the agent stands: ${withAgent(output)}.`,
      )
  }
  const told = new Set<string>()
  for (const { written, file, path } of outputs) {
    const wrong = wrongPath(written) ?? wrongPath(file)
    if (wrong && !told.has(path.join('\n'))) add(path, ...wrong)
    told.add(path.join('\n'))
  }
  checkShared(outputs, lineOf, add)
}

const withAgent = (path: string) => path.replace(/(\.[^./]*)?$/, '/{agent}$1').replace(/^\//, '')

/** Returns what is wrong with the path of an output, and its remedy. */
function wrongPath(path: string): [what: string, fix: string] | undefined {
  if (path.includes('$')) return ['has a $, which stands for nothing', 'Write {agent} without it.']
  const placeholder = path.match(/\{(?!agent\})[^}]*\}?/)?.[0]
  if (placeholder !== undefined)
    return [
      `has ${placeholder}, which stands for nothing`,
      'Use {agent} alone; each trial has outputs of its own.',
    ]
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return ['must be a relative path', 'Begin with a folder, such as drafts/.']
  if (path.split('/').some((part) => part === '..' || part === '.' || part === '') || path.includes('\\'))
    return [
      'must be a plain path',
      'Write folders and a name, such as drafts/{agent}.md, without `.`, `..` or `\\`.',
    ]
  if (/[*?[\]]/.test(path)) return ['must be one path, without * ? [ ]', 'Write the name itself.']
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a file name
  if (/[\u0000-\u001f\u007f]/.test(path)) return ['has a control character', 'Remove it.']
  if (path.length > 200) return ['has more than 200 characters', 'Make it shorter.']
  if (path === 'task' || path === 'context.json')
    return [`"${path}" has another meaning here`, 'Write another name.']
  const refused = outputPathProblem(path)
  return refused === undefined ? undefined : [refused, 'Write another path, such as drafts/{agent}.md.']
}

/** Reports an output that two states write, or one that is a folder of another. Names of files may differ by more than case. */
function checkShared(outputs: readonly Output[], lineOf: (path: Output['path']) => string, add: Add): void {
  const files = new Map<string, Output>()
  const told = new Set<string>()
  for (const output of outputs) {
    const key = output.file.toLowerCase()
    const folder = outputs.find(({ file }) => key.startsWith(`${file.toLowerCase()}/`))
    const other = files.get(key) ?? folder
    if (!other) files.set(key, output)
    const areSummaries = other?.agent === undefined && output.agent === undefined
    if (!other || (areSummaries && !folder) || told.has(output.path.join('\n'))) continue
    const isSameState =
      other.site === output.site && other.agent !== output.agent && other.agent !== undefined
    if (isSameState && other.file === output.file) continue
    told.add(output.path.join('\n'))
    const place = `state "${other.site.name}" (line ${lineOf(other.path)})`
    const what = folder
      ? `${output.file} needs a folder ${other.file}, which is an output of ${place}`
      : other.file === output.file
        ? `${place} writes ${output.file} too`
        : `${output.file} differs from ${other.file} of ${place} by case alone`
    add(output.path, what, 'Write another path.')
  }
}
