import { MachineState } from '../../schema/machine/states.ts'
import { escapeRegExp } from '../../text/escape-reg-exp.ts'
import { nearWord } from '../../text/near-word.ts'
import { asList, asMap, asText, type Path, type RawMap } from '../../yaml/raw.ts'
import { reachable } from './names.ts'

/** The orchestrator's role, which no agent may have as its name. */
export const orchestratorRole = 'orchestrator'

/** A transition of a state; `label` is its name, such as `all_success`. */
interface Edge {
  label: string
  /** The name as it is written, and the state that it means: of a misspelt name the nearest. */
  to: string
  means: string
  path: Path
}

/** A path or pattern that a state reads. `name` is what templates call it. */
export interface Input {
  pattern: string
  path: Path
  name: string | undefined
}

/** A state as the file says it; parts of a wrong type are left out. */
export interface Site {
  name: string
  path: Path
  node: RawMap
  type: string | undefined
  /** Whether its agents are asked. */
  isAsking: boolean
  isGate: boolean
  /** The names of its agents, each once. */
  agents: string[]
  edges: Edge[]
  inputs: Input[]
}

const gateLabels = ['proceed', 'retry', 'halt']

/** Returns the states of a machine, in the order of the file. */
export function listStates(machine: RawMap): Site[] {
  const states = asMap(machine.states) ?? {}
  const names = Object.keys(states)
  return Object.entries(states).flatMap(([name, value]) => {
    const node = asMap(value)
    return node ? [siteOf(name, node, names)] : []
  })
}

const types = MachineState.options.map(({ shape }) => shape.type.value)

function siteOf(name: string, node: RawMap, names: readonly string[]): Site {
  const path = ['states', name]
  const type = asText(node.type)
  const isUnclear = !types.some((one) => one === type)
  const transitions = Object.entries(asMap(node.transitions) ?? {})
  return {
    ...{ name, path, node, type },
    isAsking: isUnclear
      ? node.output !== undefined
      : ['fan-out', 'single', 'orchestrator-task'].includes(type ?? ''),
    isGate: type === 'single' && transitions.some(([label]) => gateLabels.includes(label)),
    agents: [...new Set(agentsOf(node, type))],
    edges: [
      ...(type === 'initial' ? [{ label: 'next', to: node.next, path: [...path, 'next'] }] : []),
      ...transitions.map(([label, to]) => ({ label, to, path: [...path, 'transitions', label] })),
    ].flatMap(({ to, ...edge }) =>
      typeof to === 'string' ? [{ ...edge, to, means: meantName(to, names) }] : [],
    ),
    inputs: inputPatterns(node.input).map(({ name: group, pattern, path: inside }) => ({
      ...{ pattern, name: asMap(node.input) || isUsable(group, pattern) ? group : undefined },
      path: [...path, 'input', ...inside],
    })),
  }
}

/** Returns the agents; of an unknown type those that it names, or else the orchestrator. */
function agentsOf(node: RawMap, type: string | undefined): string[] {
  if (type === 'orchestrator-task') return [orchestratorRole]
  const isUnclear = !types.some((one) => one === type)
  const given =
    type === 'fan-out'
      ? asList(node.agents)
      : type === 'single'
        ? [node.agent]
        : isUnclear
          ? [...asList(node.agents), node.agent]
          : []
  const names = given.filter((one) => typeof one === 'string')
  return isUnclear && names.length === 0 && node.output !== undefined ? [orchestratorRole] : names
}

/** Returns a known name: the same, or the nearest if it is misspelt; else what is written. */
export const meantName = (word: string, names: readonly string[]): string =>
  names.includes(word) ? word : (nearWord(word, names) ?? word)

/** Returns the states that can be reached from some, these among them; no way leads on from `end`. */
export function reachedFrom(starts: readonly string[], sites: readonly Site[], end?: Site): Set<string> {
  const byName = new Map(sites.map((site) => [site.name, site]))
  return reachable(starts, (name) => {
    const site = byName.get(name)
    return site && (site === end ? [] : site.edges.map(({ means }) => means))
  })
}

/** A path or pattern that a state reads, with its place below `input`. */
interface InputPattern {
  /** What templates call it: the key of the map, or else the first folder, or the name of a file without a folder, with `_` for `-`. */
  name: string
  pattern: string
  path: PropertyKey[]
}

/** Returns the inputs of a state, in the order of the file. Takes any value; parts of a wrong type are left out. */
export function inputPatterns(input: unknown): InputPattern[] {
  const map = asMap(input)
  if (!map) return textsIn(input, []).map((one) => ({ ...one, name: inputName(one.pattern) }))
  return Object.entries(map).flatMap(([name, paths]) =>
    textsIn(paths, [name]).map((one) => ({ ...one, name })),
  )
}

function textsIn(paths: unknown, at: PropertyKey[]): Omit<InputPattern, 'name'>[] {
  const list = typeof paths === 'string' ? [{ pattern: paths, path: at }] : []
  const items = asList(paths).map((pattern, i) => ({ pattern, path: [...at, i] }))
  return [...list, ...items].flatMap(({ pattern, path }) =>
    typeof pattern === 'string' && pattern !== '' ? [{ pattern, path }] : [],
  )
}

function inputName(pattern: string): string {
  const [first = '', ...rest] = pattern.split('/')
  return (rest.length > 0 ? first : first.replace(/\.[^.]*$/, '')).replaceAll('-', '_')
}

/** Whether templates can use a name that a path gives. The task has a variable of its own. */
const isUsable = (name: string, pattern: string) => pattern !== 'task' && /^[A-Za-z_]\w*$/.test(name)

/** Whether a path matches a pattern, in which `*` stands for any text without `/`. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = pattern.split('*').map(escapeRegExp)
  return new RegExp(`^${parts.join('[^/]*')}$`).test(path)
}

/** A text that a state writes. */
export interface Output {
  site: Site
  /** The agent that writes it; undefined for a summary of `generate`. */
  agent: string | undefined
  /** Where it is written, and as the file says it, such as `drafts/{agent}.md`. */
  file: string
  written: string
  path: Path
}

/** Returns everything that states write, in the order of the file. */
export const listOutputs = (sites: readonly Site[]): Output[] => sites.flatMap(outputsOf)

function outputsOf(site: Site): Output[] {
  const written = asText(site.node.output)
  const own: Output[] =
    site.isAsking && written
      ? site.agents.map((agent) => ({
          ...{ site, agent, written },
          file: written.replaceAll('{agent}', agent),
          path: [...site.path, 'output'],
        }))
      : []
  const summaries = asList(site.node.on_enter).flatMap((action, i): Output[] => {
    const file = asText(asMap(action)?.generate)
    const path = [...site.path, 'on_enter', i, 'generate']
    return file ? [{ ...{ site, agent: undefined, file, written: file, path } }] : []
  })
  return [...summaries, ...own]
}

/** Returns the outputs that a path or pattern matches. */
export const matching = (pattern: string, outputs: readonly Output[]): Output[] =>
  outputs.filter(({ file }) => matchesPath(pattern, file))

/** Transitions after which the outputs of a visit may not be there. */
const failures = ['failure', 'all_failure']

/** Returns whether an output can be there when a state begins. */
export function canComeBefore({ site, agent }: Output, state: Site, sites: readonly Site[]): boolean {
  const edges = site.edges.filter(({ label }) => agent === undefined || !failures.includes(label))
  const isSummary = agent === undefined && site.name === state.name
  const next = edges.map(({ means }) => means)
  return isSummary || reachedFrom(next, sites).has(state.name)
}

/** Returns outputs as a person writes them in an input, each once. */
export const asInputs = (outputs: readonly Output[]): string[] => [
  ...new Set(outputs.map(({ written }) => written.replaceAll('{agent}', '*'))),
]

/** Transitions after which an output of the visit is there. Of a fan-out that succeeds in part it is that of some agent. */
const successes = ['all_success', 'partial_success', 'success', 'proceed', 'retry', 'halt']

/**
 * Returns whether outputs of an output's state are there whenever another state begins: whether each way to that state passes the
 * first, and leaves it with success the last time.
 */
export function isSure({ site, agent }: Output, state: Site, sites: readonly Site[]): boolean {
  const open = sites.flatMap(({ name, type }) => (type === 'initial' ? [name] : []))
  if (agent === undefined || open.length === 0) return agent !== undefined
  // Follows the ways on which the output is not there. After a failure of its state it is there no longer.
  const failed = site.edges.filter(({ label }) => !successes.includes(label)).map(({ means }) => means)
  return !reachedFrom([...open, ...failed], sites, site).has(state.name)
}
