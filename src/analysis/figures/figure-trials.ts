import { z } from 'zod'
import { groupBy } from '../../base/grouping.ts'
import { markField } from '../../replies/data/judge-mark.ts'
import { readData } from '../../replies/data/read-data.ts'
import { withoutThoughts } from '../../replies/thoughts.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Step } from '../../schema/ledger/step.ts'
import { comparePlaces, effectKey } from '../../schema/ledger/turn-key.ts'
import { meanOf } from '../numeric/moments.ts'
import { agentsLabel } from '../summarize.ts'
import { isMissing } from '../tally.ts'

interface FigureAsk {
  role: string
  /** On the branch's clock; ms. */
  at: number
  /** Tokens; null: not reported. */
  input: number | null
  output: number | null
  /** Input of its last call. */
  context: number | null
  /** The compliance of a judge's verdict, 0 to 1; null: not such a verdict. */
  compliance: number | null
}

/** Figure data of one trial that is not missing. */
export interface FigureTrial {
  method: string
  agents: string
  task: string
  /** Null: not graded. */
  passed: boolean | null
  /** Input and output of all its calls; null if some were not reported. */
  tokens: number | null
  /** Asks of the method in the order of the trial clock, without voided ones. */
  asks: FigureAsk[]
}

/** Returns an empty collection, which takes the records of a run, then its steps, one by one. It keeps a few numbers per step, never a text. */
export function createFigureTrials() {
  const trials = new Map<string, Omit<FigureTrial, 'asks'>>()
  const asks = new Map<string, Map<string, FigureAsk & { key: string }>>()
  return {
    addRecord(record: TrialRecord) {
      if (isMissing(record)) return
      const { trial, method, task, passed, spent } = record
      const tokens = spent.unreportedTokens > 0 ? null : spent.input + spent.output
      trials.set(trial, { method, agents: agentsLabel(record.agents), task, passed, tokens })
      asks.set(trial, new Map())
    },
    addStep(step: Step) {
      const own = asks.get(step.trial)
      if (step.kind === 'void') for (const name of step.keys) own?.delete(name)
      if (!own || step.kind !== 'ask' || step.payer !== 'method') return
      const { role, at, key, tokens, work, reply } = step
      const compliance = work === 'judge' && reply !== undefined ? readCompliance(reply) : null
      const { input, output } = tokens
      own.set(`${key}/${step.attempt}`, { role, at, key, input, output, context: input, compliance })
    },
    /** In the order of the records. */
    result: (): FigureTrial[] =>
      [...trials].map(([trial, one]) => ({
        ...one,
        // Branches write their steps when they end; the clock gives the same order on every machine.
        asks: joinTurns(
          [...(asks.get(trial)?.values() ?? [])].sort((a, b) => a.at - b.at || compareKeys(a.key, b.key)),
        ),
      })),
  }
}

function compareKeys(a: string, b: string): number {
  if (effectKey(a) === effectKey(b)) return comparePlaces(a, b)
  return a < b ? -1 : 1
}

function joinTurns(asks: readonly (FigureAsk & { key: string })[]): FigureAsk[] {
  const turns = new Map<string, FigureAsk>()
  const joined: FigureAsk[] = []
  for (const { key, ...ask } of asks) {
    const effect = effectKey(key)
    const before = effect === key ? undefined : turns.get(effect)
    if (before) {
      const { input, output, compliance } = before
      Object.assign(before, ask, { at: before.at, compliance: ask.compliance ?? compliance })
      before.input = sumOf(input, ask.input)
      before.output = sumOf(output, ask.output)
      continue
    }
    turns.set(effect, ask)
    joined.push(ask)
  }
  return joined
}

const sumOf = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)

const verdict = z.object({ compliance: z.number().min(0).max(1) })
const markedVerdict = verdict.extend({ [markField]: z.string() })

/**
 * Reads `compliance`, a number from 0 to 1, from a judge's reply, as the loop reads its verdict; else null. A value that carries a mark
 * comes first: the ledger does not keep which mark was the right one.
 */
export function readCompliance(reply: string): number | null {
  if (!reply.includes('compliance')) return null
  const said = withoutThoughts(reply)
  for (const shape of [markedVerdict, verdict]) {
    const read = readData(said, shape)
    if ('data' in read) return read.data.compliance
  }
  return null
}

/** The trials of one method with one set of agents. */
export interface FigureSeries {
  label: string
  trials: FigureTrial[]
}

/** Groups trials by task, in the order of first appearance. */
export function byTask(trials: readonly FigureTrial[]): FigureTrial[][] {
  return [...groupBy(trials, ({ task }) => task).values()]
}

/** Computes the mean over tasks of the mean over each task's trials. Null values, and tasks without others, are left out. */
export function taskMean(
  tasks: readonly (readonly FigureTrial[])[],
  value: (trial: FigureTrial) => number | null,
): { mean: number | null; tasks: number } {
  const means = tasks.flatMap((trials) => {
    const values = trials.map(value).filter((one) => one !== null)
    return values.length === 0 ? [] : [meanOf(values)]
  })
  return { mean: means.length === 0 ? null : meanOf(means), tasks: means.length }
}

/** Tokens of each role of a method. */
export interface RoleTokens {
  label: string
  /** Tokens per trial, input and output, mean over tasks. Sorted by the sum over all methods, largest first. */
  roles: { role: string; tokens: number }[]
  total: number
  /** Calls with unreported tokens; they are left out. */
  unreported: number
}

/** Computes tokens by role for each method. */
export function roleTokens(series: readonly FigureSeries[]): RoleTokens[] {
  const all = series.map(ofSeries)
  const sums = new Map<string, number>()
  for (const { roles } of all)
    for (const { role, tokens } of roles) sums.set(role, (sums.get(role) ?? 0) + tokens)
  const rank = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([role]) => role)
  return all.map((one) => ({
    ...one,
    roles: one.roles.toSorted((a, b) => rank.indexOf(a.role) - rank.indexOf(b.role)),
  }))
}

function ofSeries({ label, trials }: FigureSeries): RoleTokens {
  const tasks = byTask(trials)
  const asks = trials.flatMap((trial) => trial.asks)
  const names = [...new Set(asks.map(({ role }) => role))]
  const spent = (role: string) => (trial: FigureTrial) =>
    trial.asks.reduce((sum, ask) => sum + (ask.role === role ? (ask.input ?? 0) + (ask.output ?? 0) : 0), 0)
  const roles = names.map((role) => ({ role, tokens: taskMean(tasks, spent(role)).mean ?? 0 }))
  return {
    label,
    roles: roles.filter(({ tokens }) => tokens > 0),
    total: roles.reduce((sum, { tokens }) => sum + tokens, 0),
    unreported: asks.filter(({ input, output }) => input === null || output === null).length,
  }
}
