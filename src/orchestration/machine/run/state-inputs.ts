import type { MachineState } from '../../../schema/machine/states.ts'
import type { Output } from './machine-outputs.ts'
import type { MachineRun } from './machine-run.ts'

/** The path that stands for the task's instruction. */
const taskPath = 'task'

/** A text that a state reads, and its name in templates. */
export interface StateInput extends Pick<Output, 'agent' | 'path' | 'state' | 'text'> {
  name: string
  /** The number of the visit that wrote it. */
  version: number
}

/** Returns the name of an input in templates: the first folder of its path, or the file's name without its ending. */
function inputName(pattern: string): string {
  const [first = '', ...rest] = pattern.split('/')
  const name = rest.length > 0 ? first : first.replace(/\.[^.]*$/, '')
  return name.replaceAll('-', '_')
}

/** Returns the names of a state's inputs with their patterns, in the order of the file. */
export function inputPatterns({ input }: { input: InputOf }): { name: string; pattern: string }[] {
  if (typeof input === 'string') return [{ name: inputName(input), pattern: input }]
  if (Array.isArray(input)) return input.map((pattern) => ({ name: inputName(pattern), pattern }))
  return Object.entries(input).flatMap(([name, patterns]) =>
    [patterns].flat().map((pattern) => ({ name, pattern })),
  )
}

type InputOf = Extract<MachineState, { type: 'single' }>['input']

/** Returns the outputs that a state reads and that exist, each once for a name. */
export function stateInputs({ outputs, context }: MachineRun, state: { input: InputOf }): StateInput[] {
  const found = inputPatterns(state).flatMap(({ name, pattern }): StateInput[] => {
    if (pattern !== taskPath)
      return outputs.match(pattern).map(({ order: version, agent, path, state, text }) => ({
        ...{ agent, path, state, text, name, version },
      }))
    // Every template has the task as a variable.
    if (name === taskPath) return []
    return [{ agent: '', path: taskPath, state: '', text: context.instruction, name, version: 0 }]
  })
  return [...new Map(found.map((one) => [`${one.name}\n${one.path}`, one])).values()]
}

/** Whether something exists under a pattern. */
export const exists = ({ outputs }: MachineRun, pattern: string): boolean =>
  pattern === taskPath || outputs.match(pattern).length > 0
