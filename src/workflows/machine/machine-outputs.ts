import { z } from 'zod'
import type { Machine } from '../../schema/machine/machine-file.ts'
import type { Outputs, Workspace } from '../../strategy.ts'
import { matchesPath } from '../document/list-states.ts'
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

function writerOf({ states }: Machine, path: string): Pick<Output, 'agent' | 'state'> {
  for (const [name, state] of Object.entries(states)) {
    if (!isAsking(state)) continue
    const agent = rolesOfState(state).find((role) => outputPath(state, role) === path)
    if (agent !== undefined) return { agent, state: name }
  }
  return { agent: '', state: '' }
}

/** A score that an auditor gave. */
export interface Score {
  target: string
  criterion: string
  score: number
}

/** Returns the shape of a list of scores: each criterion for each target, once. */
export function scoresShape(targets: readonly string[], criteria: readonly string[]) {
  const entry = z.object({
    target: z.enum(targets),
    criterion: z.enum(criteria),
    score: z.number().min(1).max(10),
  })
  return z.array(entry).superRefine((scores, context) => {
    const given = scores.map(({ target, criterion }) => `${criterion} of ${target}`)
    const wanted = targets.flatMap((target) => criteria.map((criterion) => `${criterion} of ${target}`))
    const missing = wanted.filter((pair) => !given.includes(pair))
    const twice = [...new Set(given.filter((pair, place) => given.indexOf(pair) !== place))]
    if (missing.length > 0) context.addIssue(`has no score for ${missing.join(', ')}`)
    if (twice.length > 0) context.addIssue(`has several scores for ${twice.join(', ')}`)
  })
}

/** Returns the words that ask for scores. */
export const scoresWords = (targets: readonly string[], criteria: readonly string[]): string =>
  `Score ${targets.join(', ')} by ${criteria.join(', ')}, each from 1 (worst) to 10 (best). Give every criterion for every one of them, once. Write your review in \`text\`.`

/** Returns a review with its scores under it. */
export const scoredText = (review: string, scores: readonly Score[]): string =>
  [review.trimEnd(), ...(scores.length > 0 ? [scoresTable(scores)] : [])].filter(Boolean).join('\n\n')

function scoresTable(scores: readonly Score[]): string {
  const criteria = [...new Set(scores.map(({ criterion }) => criterion))]
  const targets = [...new Set(scores.map(({ target }) => target))]
  const cell = (target: string, criterion: string) =>
    scores.find((one) => one.target === target && one.criterion === criterion)?.score ?? ''
  return [
    `| target | ${criteria.join(' | ')} |`,
    `| --- |${criteria.map(() => ' ---: |').join('')}`,
    ...targets.map((target) => `| ${target} | ${criteria.map((one) => cell(target, one)).join(' | ')} |`),
  ].join('\n')
}
