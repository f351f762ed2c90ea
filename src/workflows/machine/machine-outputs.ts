import type { Machine } from '../../schema/machine/machine.ts'
import type { Outputs, Workspace } from '../../strategy.ts'
import { matchesPath } from '../document/path-pattern.ts'
import { type Score, scoredText } from './scores.ts'
import { isAsking, outputPath, rolesOfState } from './state-facts.ts'

/** A text that an agent wrote. */
export interface Output {
  path: string
  /** Empty where no agent wrote it. */
  agent: string
  state: string
  /** The number of the state's visit; 0 for an input from outside. */
  visit: number
  text: string
  /** It tells what happened. */
  kind?: 'summary'
  /** Of a text that ends in a table of scores: the text without the table, and the scores. */
  scored?: { review: string; scores: readonly Score[] }
  /** What a `produce` agent replied, and its files. */
  work?: { reply: string; workspace: Workspace }
  /** The place of its visit among all visits, from 1; 0 for an input from outside. */
  order: number
}

/** See `createOutputs`. */
export type MachineOutputs = ReturnType<typeof createOutputs>

/** Keeps the outputs of a machine. Agents see what exists; what was written once can still be handed in. */
export function createOutputs(
  { outputs: files }: { outputs: Outputs },
  machine: Machine,
  inputs: Readonly<Record<string, string>> = {},
) {
  const visible = new Map<string, Output>()
  const written: Output[] = []
  for (const [path, text] of Object.entries(inputs))
    visible.set(path, { path, text, visit: 0, order: 0, ...writerOf(machine, path) })
  /** A table of scores leaves out what does not exist any more. */
  const asShown = (output: Output): Output => {
    const scores = output.scored?.scores.filter(({ target }) => visible.has(target))
    return output.scored && scores ? { ...output, text: scoredText(output.scored.review, scores) } : output
  }
  const shown = (isWanted: (path: string) => boolean) =>
    [...visible.values()]
      .filter(({ path }) => isWanted(path))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(asShown)
  return {
    /** Everything that was written, in order. */
    written: written as readonly Output[],
    /** Keeps a text, and writes it as a file unless a limit of the trial forbids that. */
    keep(output: Output, mayWrite = true) {
      if (mayWrite) files.write(output.path, output.text, output.kind)
      visible.set(output.path, output)
      written.push(output)
    },
    /** Hides an output whose agent has failed since. */
    drop: (path: string) => void visible.delete(path),
    find: (path: string): Output | undefined => visible.get(path),
    /** Returns what exists, sorted by path. */
    list: (): Output[] => shown(() => true),
    /** Returns what matches a pattern, sorted by path. */
    match: (pattern: string): Output[] => shown((path) => matchesPath(pattern, path)),
  }
}

/** Returns who would write a path in this machine. */
function writerOf({ states }: Machine, path: string): Pick<Output, 'agent' | 'state'> {
  for (const [name, state] of Object.entries(states)) {
    if (!isAsking(state)) continue
    const agent = rolesOfState(state).find((role) => outputPath(state, role) === path)
    if (agent !== undefined) return { agent, state: name }
  }
  return { agent: '', state: '' }
}
