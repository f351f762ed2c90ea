import { MachineState } from '../../../schema/machine/states.ts'
import { nearWord } from '../../../text/near-word.ts'
import { asList, asMap, asText, type Path, type RawMap } from '../../../yaml/raw.ts'
import { inputGroups } from '../input-groups.ts'

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
    inputs: inputGroups(node.input).flatMap(({ name: group, patterns }) =>
      patterns.map(({ pattern, path: inside }) => ({
        ...{ pattern, name: group },
        path: [...path, 'input', ...inside],
      })),
    ),
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

/** Returns the states that can be reached from some, these among them. */
export function reachedFrom(starts: readonly string[], sites: readonly Site[]): Set<string> {
  const byName = new Map(sites.map((site) => [site.name, site]))
  const reached = new Set<string>()
  const open = [...starts]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const site = byName.get(name)
    if (!site || reached.has(name)) continue
    reached.add(name)
    open.push(...site.edges.map(({ means }) => means))
  }
  return reached
}
