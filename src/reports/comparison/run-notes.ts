import type { Comparison, MethodEstimates } from '../../analysis/compare/comparison.ts'
import type { Note } from '../tables/table.ts'
import { counted, formatUsd, present } from '../words/numbers.ts'

/** Facts about one run of a comparison. */
export interface RunFacts {
  /** The run folder, as a path that the reader can type. */
  run: string
  createdAt: string
  /** Version of bench with its commit; outside a checkout with the digest of its code. */
  bench: string
  /** Commit of the checkout that bench was called in, if it is not that of bench itself. */
  calledIn: string | null
  /** What its times depend on: machine, parallel trials, rate limits; null for simulated time. */
  timing: string | null
  /** Agents, with the model that the provider reported for real models. */
  models: string[]
  /** The price table with its date, and whether prices of the user came first; null: no prices. */
  prices: string | null
  /** SHA-256 of records.jsonl. */
  data: string
  planned: number
  recorded: number
  /** How the plan was changed during the run; absent if it was not. */
  amended?: string
  /** Tasks whose texts are those of another task but for numbers, without a cluster; absent: none. */
  alike?: number
  /** Whether a limit of the run stopped it before its end. */
  stoppedByLimit: boolean
}

/** Facts for the notes of a comparison. */
export interface ComparisonFacts {
  runs: RunFacts[]
  /** Source of family, outcome and margin: the plan of the run, the default, or a pair chosen afterwards. */
  stated: 'plan' | 'default' | 'afterwards'
  /** Number of records at each look at an unfinished run, in order. */
  looks: number[]
  /** Other settings that differ between the runs, as texts. */
  differing: string[]
  /** Which models answered behind an agent of the two rows that has several, as sentences; absent where the report says so itself. */
  served?: string[]
  /** Wordings that were tried on the tasks of these runs; absent in a report of one run, whose tests are one family. */
  wordings?: number
  /** The command that makes these tables again. */
  command: string
}

/** Says how the plans of the runs were changed; with the run, if there are two. */
export function amendedNotes({ runs }: ComparisonFacts): string[] {
  return runs.flatMap(({ run, amended }) =>
    amended === undefined ? [] : [runs.length > 1 ? `${run}: ${amended}` : amended],
  )
}

/** Warns of agents of the two rows behind which several models answered. */
export const servedNotes = ({ served = [] }: Pick<ComparisonFacts, 'served'>): string[] =>
  served.map((text) => `Warn: ${text}`)

/** Says that several wordings were tried, and what that changes; empty for one. */
export const wordingsNotes = (
  { wordings = 1 }: Pick<ComparisonFacts, 'wordings'>,
  change: string,
): string[] =>
  wordings === 1
    ? []
    : [`${counted(wordings, 'wording')} were tried on these tasks, and each counts as a look: ${change}.`]

/** Returns notes on the source of the numbers: models, dates, prices, versions, data, and differences between runs; with the command. */
export function sourceNotes({ runs, differing, command }: ComparisonFacts): Note[] {
  const texts = [...differing.map((text) => `Between the runs: ${text}.`), ...runs.map(runNote)]
  return texts.map((text, i) => ({ text, ...(i === texts.length - 1 && { commands: [command] }) }))
}

function runNote({
  run,
  createdAt,
  bench,
  calledIn,
  timing,
  models,
  prices,
  data,
  recorded,
  planned,
}: RunFacts): string {
  return present([
    `Run ${run} of ${createdAt.slice(0, 10)}: ${recorded} of ${planned} trials`,
    models.join(', '),
    prices === null ? 'no prices' : `prices ${prices}`,
    `bench ${shortCommit(bench)}`,
    calledIn !== null && `called in a checkout at commit ${shortCommit(calledIn)}`,
    timing !== null && `times ${timing}`,
    `data sha256 ${data.slice(0, 16)}`,
  ])
    .join('; ')
    .concat('.')
}

/** Shortens a commit to the digits that git shows; JSON has all of them. */
const shortCommit = (text: string) => text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{28}\b/g, '$1')

const rules = {
  mcnemar: 'McNemar e-process, uniform mixture',
  'empirical-bernstein': 'empirical Bernstein confidence sequence',
  asymptotic: 'asymptotic confidence sequence from 30 tasks on, approximate',
} as const

/** Returns notes on a run that stopped before its end: by a limit, or by which stop rule. */
export function stopNotes({ stop, methods }: Comparison, { runs }: Pick<ComparisonFacts, 'runs'>): string[] {
  const byLimit = runs
    .filter(({ stoppedByLimit }) => stoppedByLimit)
    .map(
      ({ recorded, planned }) =>
        `A limit of the run stopped it after ${recorded} of ${planned} trials; the results did not.`,
    )
  if (!stop) return byLimit
  const { rule, looks, settledAt } = stop
  const name = `${rules[rule.sequence]}, alpha ${rule.alpha} over ${counted(rule.comparisons, 'comparison')}, a look after every finished task in the plan's random order`
  return [
    ...byLimit,
    settledAt === null
      ? `Stop rule fixed before the run: ${name}. Not settled after ${counted(looks, 'task')}.`
      : `Stop rule fixed before the run: ${name}. All pairs were settled after task ${settledAt}; only the tasks up to it count, and estimates at an early stop are too extreme. ${sparedText(methods, runs)}`,
  ]
}

/** Returns the estimated cost of the trials that were not run, at the means of the methods. */
function sparedText(methods: readonly MethodEstimates[], runs: readonly RunFacts[]): string {
  const left = runs.reduce((sum, { planned, recorded }) => sum + planned - recorded, 0)
  const costs = methods.map(({ spent }) => spent.costUsd.mean.estimate)
  const each = costs.reduce<number | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost / costs.length),
    0,
  )
  const money = each === null ? 'at an unknown price' : `about ${formatUsd(left * each)}`
  return `Not run, as planned: ${counted(left, 'trial')}, ${money}.`
}
