import type { Budget, Budgets, BudgetUnit } from '../../schema/limits.ts'
import type { Shard } from '../../schema/run/run.ts'
import { flagOf } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import { parseDecimal } from '../values/parse-values.ts'
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

/** A join names each shard. */
const mostShards = 100_000

const example = 'Write for example --shard 2/8, or --shard auto/8 in a Slurm array or an indexed Job.'

/** Parses `--shard`: `K/N` or `auto/N`. Adds every problem, also of options that are about the whole run. */
export function parseShard(problems: Problem[], options: RunOptions): ShardOption | undefined {
  const text = options.shard
  if (text === undefined) return undefined
  const where = `--shard ${text}`
  const [, typed, parts] = /^\s*(\d+|auto)\s*\/\s*(\d+)\s*$/.exec(text) ?? []
  const of = Number(parts)
  const variable = typed === 'auto' ? indexVariables.find(({ name }) => process.env[name]) : undefined
  if (typed === undefined || of < 1) problems.push({ where, what: 'is not K/N', fix: example })
  else if (of > mostShards)
    problems.push({
      where,
      what: `has more than ${mostShards} shards`,
      fix: 'Use fewer: a shard does whole tasks, so with more shards than tasks some have nothing to do.',
    })
  else if (typed === 'auto' && !variable) {
    const names = indexVariables.map(({ name }) => name).join(' nor ')
    problems.push({
      where,
      what: `has no number to take: neither ${names} is set`,
      fix: `Write --shard K/${of}.`,
    })
  } else {
    problems.push(...wholeRunProblems(options))
    if (!variable) return inside(problems, where, { index: Number(typed), of })
    const { name, first } = variable
    return inside(problems, where, {
      index: parseDecimal(process.env[name] ?? '') - first + 1,
      of,
      from: name,
    })
  }
  return undefined
}

/** Returns a part of the parts that there are. Adds a problem for any other. */
function inside(problems: Problem[], where: string, shard: ShardOption): ShardOption {
  const { index, of, from } = shard
  if (Number.isInteger(index) && index >= 1 && index <= of) return shard
  const variable = indexVariables.find(({ name }) => name === from)
  const fix = variable
    ? `Start the parts with ${variable.remedy}, where N is ${of}.`
    : `Write --shard K/${of}, with K from 1 to ${of}.`
  const text = process.env[from ?? '']
  const given = Number.isNaN(index) ? `is "${text}", which is no number` : `gives ${index}`
  const gives = variable ? `: ${from} ${given}` : ''
  problems.push({ where, what: `is not from 1 to ${of}${gives}`, fix })
  return shard
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
function shareOf(problems: Problem[], of: number, { unit, amount, method }: Amount): number {
  // The time of a run is no sum: its shards work side by side.
  if (unit === 'timeMs' && method === undefined) return amount
  const share =
    unit === 'costUsd' ? Math.floor((amount / of) * microDollars) / microDollars : Math.floor(amount / of)
  if (share > 0) return share
  problems.push({
    where: `--shard K/${of}`,
    what: `leaves nothing for each shard of the limit of ${amount} ${unit}`,
    fix: 'Use fewer shards, or raise the limit.',
  })
  return amount
}

interface Amount extends Pick<BudgetOption, 'unit' | 'method'> {
  amount: number
}

/** Returns the share of a run's limits that one of so many shards has, to the micro-dollar. Adds a problem for a share of nothing. */
export function shareBudgets(problems: Problem[], { run, methods }: Budgets, of: number): Budgets {
  const share = (limits: Budget, method?: string): Budget =>
    Object.fromEntries(
      (Object.entries(limits) as [BudgetUnit, number][]).map(([unit, amount]) => [
        unit,
        shareOf(problems, of, { unit, amount, ...(method !== undefined && { method }) }),
      ]),
    )
  const ofMethods = Object.entries(methods).map(([label, limits]) => [label, share(limits, label)])
  return { run: share(run), methods: Object.fromEntries(ofMethods) }
}

/** The same for limits that are typed when a shard goes on: they, too, are those of the whole run. */
export const shareTyped = (problems: Problem[], given: readonly BudgetOption[], of: number): BudgetOption[] =>
  given.map((limit) => {
    const { amount } = limit
    return amount === null ? limit : { ...limit, amount: shareOf(problems, of, { ...limit, amount }) }
  })
