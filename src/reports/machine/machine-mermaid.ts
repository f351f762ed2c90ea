import type { Machine } from '../../schema/machine/machine-file.ts'
import type { MachineState } from '../../schema/machine/states.ts'
import { shorten } from '../../text/shorten.ts'
import { drawnTransitions, typeText, workersText } from './machine-drawing.ts'

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

/** Returns a label of names and words alone, which need no escapes. */
function labelOf(name: string, state: MachineState): string {
  const workers = workersText(state)
  return `${name} (${typeText(state)}${workers === '' ? '' : shorten(`, ${workers}`, longestLabel)})`
}
