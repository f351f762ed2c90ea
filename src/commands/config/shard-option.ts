import type { Budget, Budgets } from '../../schema/limits.ts'
import type { Shard } from '../../schema/run/run.ts'
import { flagOf } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import { parseWholeNumber } from '../values/parse-values.ts'
import type { BudgetOption } from './budget-options.ts'
import type { RunOptions } from './run-options.ts'

/** Which part of a run a folder does, and where its number comes from. */
export interface ShardOption extends Pick<Shard, 'index' | 'of'> {
  /** The variable that holds the number, for a note; undefined: it was typed. */
  from?: string
}

/** The variables with which Slurm arrays and indexed Jobs of Kubernetes number their parts, and the number of the first part. */
const indexVariables = [
  { name: 'SLURM_ARRAY_TASK_ID', first: 1, remedy: 'sbatch --array=1-N' },
  { name: 'JOB_COMPLETION_INDEX', first: 0, remedy: 'completionMode: Indexed and completions: N' },
] as const

const example = 'Write for example --shard 2/8, or --shard auto/8 in a Slurm array or an indexed Job.'

/** Parses `--shard`: `K/N` or `auto/N`. Adds every problem, also of options that are about the whole run. */
export function parseShard(problems: Problem[], options: RunOptions): ShardOption | undefined {
  const text = options.shard
  if (text === undefined) return undefined
  const where = `--shard ${text}`
  const [, typed = '', parts = ''] = /^\s*(\d+|auto)\s*\/\s*(\d+)\s*$/.exec(text) ?? []
  const of = Number(parts)
  if (typed === '' || !(of >= 1)) {
    problems.push({ where, what: 'is not K/N', fix: example })
    return undefined
  }
  const found = typed === 'auto' ? indexFromVariable(problems, where, of) : { index: Number(typed) }
  if (!found) return undefined
  if (found.index < 1 || found.index > of)
    problems.push({ where, what: `is outside of 1 to ${of}${fromText(found)}`, fix: outsideFix(found, of) })
  problems.push(...wholeRunProblems(options))
  return { ...found, of }
}

function indexFromVariable(
  problems: Problem[],
  where: string,
  of: number,
): Omit<ShardOption, 'of'> | undefined {
  const variable = indexVariables.find(({ name }) => process.env[name])
  if (!variable) {
    const names = indexVariables.map(({ name }) => name).join(' nor ')
    problems.push({ where, what: `finds no number: neither ${names} is set`, fix: `Write --shard K/${of}.` })
    return undefined
  }
  const { name, first } = variable
  const found: Problem[] = []
  const value = parseWholeNumber(found, name, process.env[name], 0, 0)
  problems.push(...found)
  return found.length > 0 ? undefined : { index: value - first + 1, from: name }
}

const fromText = ({ index, from }: Omit<ShardOption, 'of'>) =>
  from === undefined ? '' : `: ${from} gives ${index}`

function outsideFix({ from }: Omit<ShardOption, 'of'>, of: number): string {
  const variable = indexVariables.find(({ name }) => name === from)
  return variable
    ? `Start the parts with ${variable.remedy}, where N is ${of}.`
    : `Write --shard K/${of}, with K from 1 to ${of}.`
}

const afterJoin = 'Remove it, and join the shards first: bench runs join.'

/** Options that are about the whole run, or that have nothing to split, each with the reason and the remedy. */
const wholeRunOptions = {
  stopWhen: ['a stop rule looks at the results of all tasks, and a shard sees only its own', 'Remove it.'],
  failIf: ['its conditions are about the whole run', afterJoin],
  instruction: ['a free request has no tasks to split', 'Remove one of them.'],
} as const

/** Returns a problem for each given option that a shard cannot have. */
export const wholeRunProblems = (options: RunOptions): Problem[] =>
  (Object.keys(wholeRunOptions) as (keyof typeof wholeRunOptions)[]).flatMap((name) => {
    const [why, fix] = wholeRunOptions[name]
    if (options[name] === undefined) return []
    return [{ where: flagOf(name), what: `conflicts with a shard (--shard): ${why}`, fix }]
  })

const microDollars = 1_000_000

/** Returns the share of a limit that one of so many shards has, rounded down. Adds a problem for a share of nothing. */
function shareOf(problems: Problem[], unit: keyof Budget, amount: number, of: number): number {
  const share =
    unit === 'costUsd' ? Math.floor((amount / of) * microDollars) / microDollars : Math.floor(amount / of)
  if (share > 0) return share
  problems.push({
    where: `--shard K/${of}`,
    what: `leaves each shard nothing of the limit of ${amount} ${unit}`,
    fix: 'Use fewer shards, or raise the limit.',
  })
  return amount
}

/** The time of a run is no sum: its shards work side by side. */
const isShared = (unit: keyof Budget, method: string | undefined) => unit !== 'timeMs' || method !== undefined

/** Returns the share of a run's limits that one of so many shards has, to the micro-dollar. Adds a problem for a share of nothing. */
export function shareBudgets(problems: Problem[], { run, methods }: Budgets, of: number): Budgets {
  const share = (limits: Budget, method?: string): Budget =>
    Object.fromEntries(
      (Object.entries(limits) as [keyof Budget, number][]).map(([unit, amount]) => [
        unit,
        isShared(unit, method) ? shareOf(problems, unit, amount, of) : amount,
      ]),
    )
  const ofMethods = Object.entries(methods).map(([label, limits]) => [label, share(limits, label)])
  return { run: share(run), methods: Object.fromEntries(ofMethods) }
}

/** The same for limits that are typed when a shard goes on: they, too, are those of the whole run. */
export const shareTyped = (problems: Problem[], given: readonly BudgetOption[], of: number): BudgetOption[] =>
  given.map((limit) => {
    const { unit, amount, method } = limit
    if (amount === null || !isShared(unit, method)) return limit
    return { ...limit, amount: shareOf(problems, unit, amount, of) }
  })
