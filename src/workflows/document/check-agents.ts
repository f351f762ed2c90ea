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
import type { Beside } from './surroundings.ts'

/** Names that mean something else in a machine. */
const reserved = [orchestratorRole, 'task']

/** Reports mistakes of agents and of the orchestrator, and of the states that name them. */
export function checkAgents(
  machine: RawMap,
  sites: readonly Site[],
  { agentProblem }: Beside,
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
