import { matchesPath } from '../path-pattern.ts'
import { ownVariables } from './check-inputs.ts'
import { matching, type Output } from './list-outputs.ts'
import type { Site } from './list-states.ts'
import { isSure } from './sure-outputs.ts'

/** Returns the variables that the prompt of a state has. */
export const variablesOf = ({ inputs }: Site): string[] => [
  ...new Set([...ownVariables, ...inputs.flatMap(({ name }) => (name === undefined ? [] : [name]))]),
]

/**
 * Returns variables as a state may have them: with all inputs, with those of one agent alone, and without those that may be missing,
 * each in a first visit and in a later one with guidance.
 */
export function sampleVariables(
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
