import { groupBy } from '../../base/grouping.ts'
import type { Machine } from '../../schema/machine/machine-file.ts'
import type { MachineState } from '../../schema/machine/states.ts'
import { shorten } from '../../text/shorten.ts'
import { alignedTable } from '../words/aligned-table.ts'
import { counted, formatUsd, nothing } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'

/** Returns a machine as a text for people: what holds for all states, a table of these, and the personas. */
export function machineText(machine: Machine): string {
  return [
    `Workflow ${safeLine(machine.name)}: ${counted(Object.keys(machine.states).length, 'state')}`,
    ...(machine.description === undefined ? [] : ['', `  ${shorten(safeLine(machine.description), 200)}`]),
    '',
    ...headLines(machine).map(([name, value]) => `  ${name.padEnd(12)}  ${shorten(safeLine(value), 200)}`),
    '',
    ...alignedTable(
      stateHeadings,
      Object.entries(machine.states).map(([name, state]) => stateRow(name, state)),
    ),
    '',
    ...personaLines(machine),
    '',
  ].join('\n')
}

const personaLines = ({ personas }: Machine): string[] =>
  alignedTable(
    { persona: 'persona', file: 'file', hash: 'sha-256' },
    Object.entries(personas).map(([persona, { file, sha256 }]) => ({
      persona,
      file,
      hash: sha256.slice(0, 12),
    })),
  )

function headLines({
  digest,
  orchestrator,
  agents,
  deliver,
  circuit_breaker,
  settings,
}: Machine): [string, string][] {
  const { rules, hard } = circuit_breaker
  const named = (agent: string | undefined) => agent ?? "the run's agent"
  const { timeout_per_agent, retry_count, parallel_fanout } = settings
  return [
    ['Digest', digest],
    [
      'Orchestrator',
      `${named(orchestrator.agent)}; asked at ${orchestrator.checkpoints.join(', ') || 'no checkpoint'}`,
    ],
    ...Object.entries(agents).map(([name, { agent, session }], i): [string, string] => [
      i === 0 ? 'Agents' : '',
      `${name}: ${named(agent)}${session ? ', remembers its turns' : ''}`,
    ]),
    ['Hands in', deliver ?? 'what an agent produced last'],
    ['Breaks at', rules.map(ruleText).join(', ') || 'no rule'],
    [
      'Ends after',
      `${counted(hard.transitions, 'transition')}, ${hard.time_s} s, ${formatUsd(hard.cost_usd)}`,
    ],
    [
      'Each agent',
      `at most ${timeout_per_agent} s${retry_count > 0 ? `, ${counted(retry_count, 'retry', 'retries')}` : ''}${parallel_fanout ? '' : ', one after the other'}`,
    ],
  ]
}

function ruleText(rule: Machine['circuit_breaker']['rules'][number]): string {
  if (rule.rule === 'cycle') return 'a cycle'
  if (rule.rule === 'time') return `${rule.max_s} s`
  if (rule.rule === 'cost') return formatUsd(rule.max_usd)
  return rule.rule === 'transitions' ? counted(rule.max, 'transition') : `visit ${rule.max} of a state`
}

const stateHeadings = {
  ...{ state: 'state', type: 'type', agents: 'agents', reads: 'reads', writes: 'writes', next: 'next' },
}

function stateRow(name: string, state: MachineState): Record<keyof typeof stateHeadings, string> {
  return {
    state: name,
    type: typeText(state),
    agents: workersText(state) || nothing,
    reads: 'input' in state ? readsText(state.input) || nothing : nothing,
    writes: 'output' in state ? state.output : nothing,
    next:
      drawnTransitions(state)
        .map(({ labels, to }) => `${labels.join(', ')}: ${to}`)
        .join('; ') || nothing,
  }
}

function readsText(input: Extract<MachineState, { type: 'single' }>['input']): string {
  if (typeof input === 'string') return input
  return Array.isArray(input) ? input.join(', ') : Object.values(input).flat().join(', ')
}

/** Longest label, since Mermaid draws at most 50,000 characters. */
const longestLabel = 120

/** Returns a machine as a Mermaid state diagram. Names of states are labels alone: some of them mean something else in Mermaid. */
export function machineMermaid({ name, states }: Machine): string {
  const names = Object.keys(states)
  const key = (state: string) => `s${names.indexOf(state)}`
  const all = Object.entries(states)
  const failed = all.filter(([, state]) => state.type === 'terminal' && state.error)
  return [
    ...['---', `title: ${JSON.stringify(name)}`, '---', 'stateDiagram-v2'],
    ...all.map(([state, node]) => `  state "${labelOf(state, node)}" as ${key(state)}`),
    ...all.flatMap(([state, node]) => (node.type === 'initial' ? [`  [*] --> ${key(state)}`] : [])),
    ...all.flatMap(([state, node]) =>
      drawnTransitions(node).map(({ labels, to }) => `  ${key(state)} --> ${key(to)}: ${labels.join(', ')}`),
    ),
    ...all.flatMap(([state, node]) => (node.type === 'terminal' ? [`  ${key(state)} --> [*]`] : [])),
    ...(failed.length > 0 ? ['  classDef failed stroke-dasharray:4 4'] : []),
    ...failed.map(([state]) => `  class ${key(state)} failed`),
    '',
  ].join('\n')
}

function labelOf(name: string, state: MachineState): string {
  const workers = workersText(state)
  return `${name} (${typeText(state)}${workers === '' ? '' : shorten(`, ${workers}`, longestLabel)})`
}

interface DrawnTransition {
  labels: string[]
  to: string
}

function drawnTransitions(state: MachineState): DrawnTransition[] {
  if (state.type === 'terminal') return []
  const groups = groupBy(Object.entries(resultsOf(state)), ([, to]) => to)
  return [...groups].flatMap(([to, results]) =>
    to === undefined ? [] : [{ labels: results.map(([label]) => label), to }],
  )
}

function resultsOf(state: Exclude<MachineState, { type: 'terminal' }>): Record<string, string | undefined> {
  if (state.type === 'initial') return { next: state.next }
  if (state.type !== 'fan-out') return state.transitions
  const { all_success, partial_success = all_success, all_failure } = state.transitions
  return { all_success, partial_success, all_failure }
}

function typeText(state: MachineState): string {
  if (state.type === 'single') return 'proceed' in state.transitions ? 'quality gate' : 'single'
  return state.type === 'terminal' && state.error ? 'terminal, failed' : state.type
}

function workersText(state: MachineState): string {
  if (state.type === 'fan-out') return state.agents.join(', ')
  if (state.type === 'single') return state.agent
  if (state.type === 'orchestrator-task') return 'orchestrator'
  return state.type === 'human-approval' ? 'a person' : ''
}
