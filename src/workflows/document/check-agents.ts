import { nearWord } from '../../text/near-word.ts'
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
import { meantName, orchestratorRole, type Site } from './list-states.ts'
import type { Surroundings } from './read-document.ts'

const reserved = [orchestratorRole, 'task']

/** Reports mistakes of agents and of the orchestrator, and of the states that name them. */
export function checkAgents(
  machine: RawMap,
  sites: readonly Site[],
  { agentProblem }: Surroundings,
  add: Add,
): void {
  const agents = asMap(machine.agents)
  const orchestrator = asMap(machine.orchestrator)
  const all: [string, RawMap, Path][] = [
    ...(orchestrator ? [['', orchestrator, ['orchestrator']] as [string, RawMap, Path]] : []),
    ...Object.entries(agents ?? {}).flatMap(([name, value]): [string, RawMap, Path][] => {
      const node = asMap(value)
      return node ? [[name, node, ['agents', name]]] : []
    }),
  ]
  for (const [name, node, path] of all) {
    if (reserved.includes(name)) add(path, `the name "${name}" has another meaning here`, 'Rename the agent.')
    const agent = asText(node.agent)
    const problem = agent ? agentProblem?.(agent) : undefined
    if (problem) add([...path, 'agent'], problem.what, problem.fix)
    const remembers = node.session ?? name === ''
    if (node.max_messages !== undefined && remembers === false)
      add([...path, 'max_messages'], 'has no effect without a session', 'Write session: true, or remove it.')
  }
  checkUses(agents, sites, add)
  checkCheckpoints(asList(orchestrator?.checkpoints), add)
}

function checkUses(agents: RawMap | undefined, sites: readonly Site[], add: Add): void {
  const known = Object.keys(agents ?? {})
  for (const site of sites) {
    const uses: [unknown, Path][] =
      site.type === 'fan-out'
        ? asList(site.node.agents).map((one, i) => [one, [...site.path, 'agents', i]])
        : site.type === 'single'
          ? [[site.node.agent, [...site.path, 'agent']]]
          : []
    checkTwice(
      uses.map(([one]) => one),
      [...site.path, 'agents'],
      add,
    )
    for (const [name, path] of uses) {
      if (typeof name !== 'string' || name === '' || !agents || known.includes(name)) continue
      const fix = suggestName(name, known, 'Define it under agents.')
      if (name === orchestratorRole)
        add(path, 'the orchestrator is not one of the agents', 'Write a state with type: orchestrator-task.')
      else add(path, `there is no agent "${name}"`, fix)
    }
  }
  const isClear = sites.length > 0 && sites.every(({ type }) => type !== undefined)
  const used = new Set(sites.flatMap((site) => site.agents.map((name) => meantName(name, known))))
  for (const name of known)
    if (isClear && !used.has(name) && !reserved.includes(name))
      add(['agents', name], 'no state uses this agent', 'Remove it, or name it in a state.')
}

function checkCheckpoints(checkpoints: readonly unknown[], add: Add): void {
  const path = ['orchestrator', 'checkpoints']
  checkTwice(checkpoints, path, add)
  checkpoints.forEach((one, i) => {
    const on = asText(asMap(one)?.on)
    if (on !== undefined) add([...path, i], 'must be a name alone', `Write ${on} without on:.`)
  })
}

interface Labels {
  required: readonly string[]
  optional: readonly string[]
}

const labels: Readonly<Record<string, Labels>> = {
  'fan-out': { required: ['all_success', 'all_failure'], optional: ['partial_success'] },
  single: { required: ['success', 'failure'], optional: [] },
  gate: { required: ['proceed', 'retry', 'halt'], optional: ['failure'] },
  'orchestrator-task': { required: ['success', 'failure'], optional: [] },
  'human-approval': { required: ['approved', 'feedback', 'abort'], optional: [] },
}

/** Whether a state of a type has transitions. */
export const hasTransitions = (type: unknown): boolean =>
  typeof type === 'string' && Object.hasOwn(labels, type)

/** Reports missing and unknown transitions of states, and those that lead nowhere. */
export function checkTransitions(sites: readonly Site[], names: readonly string[], add: Add): void {
  for (const site of sites) {
    const transitions = asMap(site.node.transitions)
    const kind = site.isGate ? 'gate' : (site.type ?? '')
    const known = Object.hasOwn(labels, kind) ? labels[kind] : undefined
    if (known && transitions) checkLabels(site, transitions, known, add)
    else if (known && site.node.transitions !== undefined)
      add(
        [...site.path, 'transitions'],
        'must be a map with a state for each result',
        `Write \`transitions: { ${known.required.map((label) => `${label}: STATE`).join(', ')} }\`.`,
      )
    checkWork(site, add)
    for (const { to, path } of site.edges)
      if (!names.includes(to))
        add(path, `there is no state "${to}"`, suggestName(to, names, 'Define it under states.'))
  }
}

function checkWork({ isGate, node, path }: Site, add: Add): void {
  if (isGate && typeof node.work === 'string' && node.work !== 'judge')
    add([...path, 'work'], `is ${node.work}, but a quality gate judges`, 'Remove it.')
}

function checkLabels(site: Site, transitions: RawMap, { required, optional }: Labels, add: Add): void {
  const all = [...required, ...optional]
  const free = all.filter((label) => !Object.hasOwn(transitions, label))
  const taken = new Set<string>()
  for (const [label, to] of Object.entries(transitions)) {
    const path = [...site.path, 'transitions', label]
    if (!all.includes(label)) {
      const instead = nearWord(label, free)
      if (instead !== undefined) taken.add(instead)
      const fix =
        instead === undefined ? `Remove it, or use one of ${all.join(', ')}.` : `Write ${instead} instead.`
      add(path, `is no transition of a ${site.isGate ? 'quality gate' : `state of type ${site.type}`}`, fix)
    } else if (typeof to !== 'string' || to === '')
      add(path, 'must be the name of a state', `Write ${label}: and the name alone.`)
  }
  for (const label of required)
    if (free.includes(label) && !taken.has(label))
      add([...site.path, 'transitions', label], 'is missing', missingFix(site, label))
}

function missingFix({ type, isGate, edges }: Site, label: string): string {
  const gate =
    type === 'single' && !isGate && edges.length === 0 ? ' A quality gate has proceed, retry and halt.' : ''
  return `Write ${label}: with the name of a state.${gate}`
}
