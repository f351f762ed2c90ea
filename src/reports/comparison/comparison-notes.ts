import type { Comparison, MethodEstimates, PairComparison } from '../../analysis/compare/comparison.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { Note } from '../tables/table.ts'
import { counted, formatShare } from '../words/numbers.ts'
import { oneProcessNotes } from '../words/one-process-text.ts'
import { amendedNotes } from './amended-notes.ts'
import { confoundedNotes } from './confounded-notes.ts'
import type { ComparisonFacts } from './facts.ts'
import { familySize, marginText, pairName } from './pair-columns.ts'
import { formatP, refusalText } from './result-text.ts'
import { sourceNotes } from './source-notes.ts'
import { stopNotes } from './stop-notes.ts'
import { suiteNotes } from './suite-notes.ts'
import { touchedNotes } from './touched-notes.ts'

/** Returns the few notes that the table of pairs always needs. */
export function shortNotes(comparison: Comparison, facts: ComparisonFacts): Note[] {
  return [
    ...toNotes([
      ...amendedNotes(facts),
      methodNote(comparison),
      ...confoundedNotes(comparison),
      ...touchedNotes(comparison),
      ...oneProcessNotes(comparison.oneProcess),
      ...silenceNotes(comparison, facts),
      ...stopNotes(comparison, facts),
    ]),
    { text: 'Savings, frontier, variance and all notes:', commands: [facts.command] },
  ]
}

/** Returns the notes that the table of interactions always needs. */
export function interactionTableNotes(comparison: Comparison, facts: ComparisonFacts): Note[] {
  return [
    ...toNotes([...amendedNotes(facts), ...interactionNotes(comparison), ...silenceNotes(comparison, facts)]),
    { text: 'Pairs, savings and all notes:', commands: [facts.command] },
  ]
}

/** Returns all notes of the tables of a comparison; the last one is the command that makes them again. */
export function comparisonNotes(comparison: Comparison, facts: ComparisonFacts): Note[] {
  return [
    ...toNotes([
      ...amendedNotes(facts),
      trialsNote(comparison, facts),
      methodNote(comparison),
      familyNote(comparison, facts),
      ...wordNotes(comparison),
      ...confoundedNotes(comparison),
      ...touchedNotes(comparison),
      ...oneProcessNotes(comparison.oneProcess),
      ...silenceNotes(comparison, facts),
      ...stopNotes(comparison, facts),
      ...comparison.pairs.flatMap((pair) => pairNotes(pair)),
      spendingNote(comparison),
      ...comparison.pairs.flatMap((pair) => largestNotes(pair)),
      ...successPriceNotes(comparison),
      frontierNote(comparison),
      ...planningNotes(comparison),
      'Between and within tasks: standard deviations by the method of moments; ICC: the share of the variance that is between tasks. Some of k is pass@k, all of k is pass^k, both unbiased; k is the smallest number of graded epochs of a task.',
      ...interactionNotes(comparison),
      ...suiteNotes(comparison),
      ...sensitivityNotes(comparison),
      ...sourceNotes(facts),
    ]),
    { text: 'Command that makes this again:', commands: [facts.command] },
  ]
}

function sensitivityNotes({ pairs, omnibus, resamples, seed }: Comparison): string[] {
  if (pairs.every(({ sensitivity }) => !sensitivity)) return []
  const procedures = `Other procedures, not used for claims: bootstrap over tasks (${resamples} resamples, seed ${seed}), percentile and BCa; Hodges and Lehmann's pseudomedian of task differences with Wilcoxon's signed-rank test, unadjusted; Cliff's delta of task means.`
  if (!omnibus) return [procedures]
  const { test, statistic, df, p, nTasks } = omnibus
  const name = test === 'cochran-q' ? "Cochran's Q" : "Friedman's test"
  const said =
    statistic === null || p === null
      ? 'no test, because no task separates them'
      : `${statistic.toFixed(2)} with ${counted(df, 'degree')} of freedom, p ${p < 0.001 ? '' : '= '}${formatP(p)}`
  return [
    procedures,
    `Do the methods differ at all? ${name} on ${counted(nTasks, 'task')} that all have: ${said}.`,
  ]
}

function trialsNote({ methods, tasks }: Comparison, { runs }: ComparisonFacts): string {
  const planned = runs.reduce((sum, run) => sum + run.planned, 0)
  const recorded = runs.reduce((sum, run) => sum + run.recorded, 0)
  const each = methods.map((method) => `${method.label}: ${trialsOf(method)}`).join('; ')
  return `${counted(tasks.length, 'task')}; ${counted(recorded, 'trial')} of ${planned} planned recorded. ${each}. The task is the unit: epochs are averaged first, tasks have equal weight, and a task without both methods is left out of the pair.`
}

function trialsOf({ epochs, trials }: MethodEstimates): string {
  const many =
    epochs.min === epochs.max ? counted(epochs.min, 'epoch') : `${epochs.min} to ${epochs.max} epochs`
  return `${many}, ${trials.run} run, ${trials.graded} graded, ${trials.missing} missing`
}

const intervals = {
  newcombe: "Newcombe's paired interval (method 10)",
  'paired-t': 'the paired t interval of task means',
  'newcombe-majorities':
    "Newcombe's interval of which method solves most epochs of a task, because all differences are equal",
  'confidence-sequence': 'a confidence sequence, valid at every look',
} as const
const tests = {
  'mcnemar-mid-p': "McNemar's mid-p (CSV and JSON have the exact test, too)",
  'paired-t': 'paired t test of task means (CSV and JSON have the sign-flip test, too)',
  'sign-flip': 'sign-flip test, because all differences are equal',
} as const

function methodNote(comparison: Comparison): string {
  const { outcome, pairs } = comparison
  const named = <Name extends string>(words: Record<Name, string>, names: readonly (Name | null)[]) =>
    [...new Set(names.flatMap((name) => (name === null ? [] : [words[name]])))].join('; or ')
  const interval = named(
    intervals,
    pairs.map((pair) => pair.outcome.interval),
  )
  const test = named(
    tests,
    pairs.map((pair) => pair.outcome.test),
  )
  return [
    `Difference: mean over tasks of A's ${outcome} minus B's, in percentage points, tasks paired`,
    ...(interval
      ? [`in brackets the ${confidenceName(comparison)} limits of ${interval}, for each pair by itself`]
      : []),
    ...(test ? [`p: two-sided, ${test}`] : []),
  ]
    .join('; ')
    .concat('.')
}

function familyNote(comparison: Comparison, { stated }: ComparisonFacts): string {
  const { family, outcome, margin } = comparison
  const several = comparison.methods.some(({ set }) => set !== null)
  const which =
    family.kind === 'baseline'
      ? `each method against ${family.baseline}${several ? ' with the same agents' : ''}`
      : `all pairs${several ? ' of methods with the same agents, and of agents with the same method' : ''}`
  const when = {
    plan: 'fixed before the run (run.json)',
    default: 'the default, because run.json has none',
    afterwards: 'chosen after the runs: one test of one pair, so adjust it if you look at several pairs',
  }[stated]
  const adjusted = comparison.stop
    ? ' p: valid at every look, times m, because each pair has an equal share of alpha.'
    : ' p-values are adjusted over the family (Holm).'
  return `Family: ${which}, m=${familySize(comparison)}; primary outcome: ${outcome}; ${marginText(margin)}${margin === null ? '' : ' of margin'}; ${when}.${comparison.silence === 'simulated' ? '' : adjusted}`
}

/** Returns one note for all pairs with the same two sides of models. */
function interactionNotes({ interactions, confidence }: Comparison): string[] {
  if (interactions.length === 0) return []
  return [
    `Difference of differences: A - B with the first agents minus A - B with the second, by task, with the ${confidenceName({ confidence })} limits of a paired t; described, not tested. If the limits exclude 0, which method is better depends on the agents.`,
  ]
}

function wordNotes({ pairs, silence, confidence }: Comparison): string[] {
  if (!pairs.some(({ verdict }) => verdict !== null)) return []
  const alpha = Number((1 - confidence).toFixed(4))
  return [
    `"Better" needs an adjusted p below ${alpha}, "not worse" and "equivalent" need their test against the margin; all else is "not established", which does not mean "no difference".${silence === null ? ' Detectable: the smallest true difference that a test in this family finds with 80% power.' : ''}`,
  ]
}

function silenceNotes({ silence, pairs }: Comparison, { looks }: ComparisonFacts): string[] {
  const reasons = new Set<Refusal>(pairs.flatMap(({ outcome }) => (outcome.refusal ? [outcome.refusal] : [])))
  if (silence === 'simulated')
    return [
      'Simulated numbers have estimates and intervals, but no p-values and no verdicts: a test would test the profile.',
      ...[...reasons]
        .filter((reason) => reason !== 'simulated')
        .map((reason) => `No interval: ${refusalText(reason)}.`),
    ]
  const when = looks.length > 0 ? ` (looks at ${looks.join(', ')} records)` : ''
  return [...reasons]
    .filter((reason) => reason !== 'stop-rule')
    .map(
      (reason) =>
        `No p, or none by the usual test: ${refusalText(reason)}${reason === 'looked' ? when : ''}.`,
    )
}

function pairNotes(pair: PairComparison): string[] {
  const { missing } = pair.outcome
  if (missing === null || missing.low === null || missing.high === null) return []
  const decides = missing.decides ? ', so even its sign is unknown' : ''
  return [
    `${pairName(pair)}: with the missing trials the difference may be anything from ${(100 * missing.low).toFixed(1)} to ${(100 * missing.high).toFixed(1)} points${decides}.`,
  ]
}

function spendingNote({ silence, simulated }: Comparison): string {
  const price = simulated ? '' : ' Cost is at list prices, as if nothing had been cached.'
  const tested =
    silence === null
      ? ' p: paired t test, adjusted over the pairs (Benjamini-Hochberg), exploratory. "At equal success" needs a method that is better or not worse by the tests above.'
      : ''
  return `Saved: 100 (1 - A/B) percent of mean tokens, cost or time, with failed trials; ratio of means with Fieller's limits. The success difference is over the same tasks, because giving up early is not a saving. Cost per success: linearised log ratio. Typical task: ratio of geometric means, for time the median of the task ratios; it answers another question.${price}${tested}`
}

function largestNotes(pair: PairComparison): string[] {
  return (['tokens', 'costUsd'] as const).flatMap((spent) => {
    const { largest } = pair.spent[spent]
    if (!largest) return []
    const rest =
      largest.ratioWithout === null ? 'no ratio' : `${(100 - 100 * largest.ratioWithout).toFixed(1)}% saved`
    return [
      `${pairName(pair)}: ${largest.task} holds ${formatShare(largest.share)}% of B's ${spent === 'tokens' ? 'tokens' : 'cost'}; without it ${rest}.`,
    ]
  })
}

function successPriceNotes({ pairs }: Comparison): string[] {
  const names = pairs
    .filter(({ costPerSuccess }) => costPerSuccess.refusal === 'unreported-cost')
    .map(pairName)
  if (names.length === 0) return []
  return [
    `${names.join(', ')}: no ratio of costs per success, because one of them is a lower bound: ${refusalText('unreported-cost')}.`,
  ]
}

function frontierNote({ frontiers, resamples, seed, silence }: Comparison): string {
  const words = silence === null ? '; "on" from 95%, "off" to 5%, else undecided' : ''
  return `Frontier: no other method has as much success for as little spending; the share of ${resamples} resamples of tasks (seed ${seed}) in which that holds${words}. It measures stability and is not a p-value; over ${counted(frontiers.tokens.nTasks, 'task')} with tokens and ${frontiers.costUsd.nTasks} with cost that all placed methods share.`
}

function planningNotes({ pairs }: Comparison): string[] {
  return pairs.flatMap((pair) => {
    const { withinShare, advice } = pair.planning
    if (withinShare === null || advice === null) return []
    const share = `${formatShare(withinShare)}% of the variance of a task's difference is noise within tasks`
    return [
      advice === 'tasks'
        ? `${pairName(pair)}: ${share}, so more tasks help, and more epochs hardly help.`
        : `${pairName(pair)}: ${share}, so more epochs help as well as more tasks.`,
    ]
  })
}

const toNotes = (notes: readonly string[]): Note[] => notes.map((text) => ({ text }))
