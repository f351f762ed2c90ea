import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { OutcomeDifference } from '../../analysis/compare/pair-results.ts'
import type { PropertyRow } from '../../analysis/compare/property-results.ts'
import { setsWord } from '../tables/task-columns.ts'
import { marginText } from '../words/claim-words.ts'
import { counted, present } from '../words/numbers.ts'
import { claimTestText, confidenceName, levelOf } from '../words/result-text.ts'
import { choiceTexts } from './choice-columns.ts'
import { familySize, hasDetectable, hasFlips, hasP, pairName } from './pair-columns.ts'
import { hasPropertyP, propertyTests, spentOfProperties } from './pair-tables.ts'
import type { ComparisonFacts } from './run-notes.ts'
import { hasFrontierNews } from './spending-notes.ts'

/** What the words and columns of a comparison mean, and how its numbers are computed. */
export function definitionTexts(comparison: Comparison, facts: ComparisonFacts): string[] {
  return present([
    'The task is the unit: epochs are averaged first, tasks have equal weight, and a task without both methods is left out of the pair.',
    directionText(comparison),
    ...testTexts(comparison),
    familyText(comparison, facts),
    ...wordTexts(comparison),
    hasFlips(comparison) &&
      'Flips: how often a trial of the one and a trial of the other come out differently on the same task; in brackets the same of two trials of each method, its noise floor. A method that only repeats the other flips as often as that.',
    hasDetectable(comparison) &&
      'Detectable: the smallest true difference, in points, that the test of the pair finds in 4 of 5 such runs (80% power), adjusted as p is.',
    spendingText(comparison),
    ...frontierTexts(comparison),
    ...spreadTexts(comparison),
    ...interactionTexts(comparison),
    ...suiteTexts(comparison),
    ...propertyTexts(comparison),
    ...choiceTexts(comparison),
    ...sensitivityTexts(comparison),
  ])
}

const intervals: Readonly<Record<NonNullable<OutcomeDifference['interval']>, string>> = {
  newcombe: "Newcombe's paired interval (method 10)",
  'paired-t': 'the paired t interval of task means',
  'newcombe-majorities':
    "Newcombe's interval of which method solves most epochs of a task, because all differences are equal",
  'confidence-sequence': 'a confidence sequence, valid at every look',
}

function directionText(comparison: Comparison): string {
  const { pairs, outcome } = comparison
  const [pair] = pairs
  const name = pair ? pairName(pair) : 'A than B'
  const limits = namedBy(pairs, ({ outcome: { interval } }) => interval && intervals[interval])
  return present([
    `${name}: differences are the ${outcome} of the first minus that of the second in percentage points, means over the tasks that both have; ratios are those of the first to the second`,
    limits && `in brackets the ${confidenceName(comparison)} limits of ${limits}, for each pair by itself`,
  ])
    .join('; ')
    .concat('.')
}

function testTexts(comparison: Comparison): string[] {
  const { pairs, stop } = comparison
  if (!hasP(comparison) || pairs.every(({ adjustedP }) => adjustedP === null)) return []
  const size = familySize(comparison)
  if (stop)
    return [
      `p at any look, m=${size}: valid at every look, times m, because each pair has an equal share of alpha.`,
    ]
  const tests = namedBy(pairs, ({ outcome }) => claimTestText(outcome))
  return [
    `p: two-sided, ${tests}. Holm, m=${size}: adjusted over the ${counted(size, 'test')} of the family. CSV and JSON have each test's p, and the p of the claim before it is adjusted (p_claim, claimP).`,
  ]
}

function namedBy(
  pairs: readonly PairComparison[],
  nameOf: (pair: PairComparison) => string | null | undefined,
): string {
  const groups = new Map<string, string[]>()
  for (const pair of pairs) {
    const name = nameOf(pair)
    if (name) groups.set(name, [...(groups.get(name) ?? []), pairName(pair)])
  }
  if (groups.size < 2) return [...groups.keys()].join('')
  return [...groups].map(([name, names]) => `${name} (${names.join(', ')})`).join('; or ')
}

function familyText(comparison: Comparison, { stated }: ComparisonFacts): string {
  const { family, outcome, margin, methods } = comparison
  const several = methods.some(({ set }) => set !== null)
  const sets = setsWord(methods)
  const each = sets === 'agents' ? sets : `${sets}s`
  const which =
    family.kind === 'baseline'
      ? `each method against ${family.baseline}${several ? ` with the same ${sets}` : ''}`
      : `all pairs${several ? ` of methods with the same ${sets}, and of ${each} with the same method` : ''}`
  const when = {
    plan: 'fixed before the run (run.json)',
    default: 'the default, because run.json has none',
    afterwards: 'chosen after the runs',
  }[stated]
  const size = familySize(comparison)
  return `Family: ${which}${size > 0 ? `, m=${size}` : ''}; primary outcome: ${outcome}; ${marginText(margin)}${margin === null ? '' : ' of margin'}; ${when}.`
}

function wordTexts(comparison: Comparison): string[] {
  const { pairs, stop, margin } = comparison
  if (pairs.every(({ verdict }) => verdict === null)) return []
  const rest = 'all else is "open": nothing is established, which does not mean "no difference"'
  if (stop) return [`"Better": the stop rule has settled the pair; ${rest}.`]
  const level = levelOf(comparison)
  const margins =
    margin === null
      ? ''
      : ` "not worse" and "equivalent" their test against the margin (at ${Number((level / 2).toFixed(10))} and ${level}, adjusted);`
  return [`"Better" needs an adjusted p below ${level};${margins} ${rest}.`]
}

function spendingText({ silence, simulated }: Comparison): string {
  const price = simulated ? '' : ' List price: the same calls as if nothing had been cached.'
  const tested =
    silence === null
      ? ' CSV has p of the difference of means (paired t; the greater p with the sign-flip test where tasks are few or most are ties; Benjamini-Hochberg over the pairs), exploratory.'
      : ''
  return `Spending: mean tokens, cost or time of the first as a multiple of the second's, with failed trials: 2.2x costs 2.2 times as much; Fieller's limits. Cost per success: the ratio of two, with limits by the jackknife over tasks. CSV has the ratio of a typical task, too (geometric mean; of time the median).${price}${tested}`
}

function frontierTexts(comparison: Comparison): string[] {
  const { frontiers, resamples, seed, silence } = comparison
  const { tokens, costUsd } = frontiers
  if (tokens.nTasks + costUsd.nTasks === 0) return []
  const words =
    silence === null && hasFrontierNews(comparison) ? '; "on" from 95%, "off" to 5%, else undecided' : ''
  return [
    `Frontier: no other method has as much success for as little spending; the share of ${resamples} resamples of tasks (seed ${seed}) in which that holds${words}. It measures stability and is not a p-value. A method that alone spends least is on it, whatever its success. Over the tasks on which all placed methods are known: ${tokens.nTasks} for tokens, ${costUsd.nTasks} for cost.`,
  ]
}

/** Whether some method has several epochs; else nothing is known of variation within tasks. */
export function hasSpread({ methods }: Comparison): boolean {
  return methods.some(({ variance, reliability }) => variance.within !== null || reliability !== null)
}

function spreadTexts(comparison: Comparison): string[] {
  if (!hasSpread(comparison)) return []
  return present([
    'Between and within tasks: standard deviations in points by the method of moments. ICC: the share of the variance that is between tasks.',
    comparison.methods.some(({ reliability }) => reliability) &&
      'Some of k pass: the chance that at least one of k trials of a task passes (pass@k); all of k pass: that all of them pass (pass^k). k is the smallest number of graded epochs of a task.',
  ])
}

function interactionTexts({ interactions, methods, confidence }: Comparison): string[] {
  if (interactions.length === 0) return []
  const sets = setsWord(methods)
  return [
    `Difference of differences: the difference of the methods with the first ${sets} minus that with the second, by task, with the ${confidenceName({ confidence })} limits of a paired t; described, not tested. If the limits exclude 0, which method is better depends on the ${sets}.`,
  ]
}

function suiteTexts({ suites }: Comparison): string[] {
  if (suites.length === 0) return []
  return [
    suites.every(({ adjustedP }) => adjustedP === null)
      ? 'By suite: described, not tested.'
      : 'By suite: the test of the pair on the tasks of the suite, adjusted over all suites and pairs (Holm).',
  ]
}

function sensitivityTexts({ pairs, resamples, seed }: Comparison): string[] {
  if (pairs.every(({ sensitivity }) => !sensitivity)) return []
  return [
    `Other procedures, not used for claims: bootstrap over tasks (${resamples} resamples, seed ${seed}), percentile and BCa; Hodges and Lehmann's pseudomedian of task differences with Wilcoxon's signed-rank test, unadjusted; Cliff's delta of task means.`,
  ]
}

/** Returns what a reader must know to read the table of properties; empty without it. */
export function propertyNotes(comparison: Comparison): string[] {
  const rows = firstRows(comparison)
  if (rows.length === 0) return []
  return [
    'By property: exploratory, and associations. The tasks were not made to differ in one property alone, so another difference between the two groups may be the cause.',
    `Lower and higher values: ${rows.map(groupsText).join('; ')}.`,
    ...fewNotes(comparison, rows),
  ]
}

function propertyTexts(comparison: Comparison): string[] {
  if (firstRows(comparison).length === 0) return []
  const { outcome, byProperty = [] } = comparison
  const spent = spentOfProperties(comparison) === 'tokens' ? 'tokens' : 'cost'
  const tested =
    hasPropertyP(comparison) && propertyTests(comparison) > 0
      ? ` p: Welch's t test; with fewer than 30 tasks in a group the greater p with a permutation test of the same statistic (9,999 permutations of tasks); Holm, adjusted over the ${counted(propertyTests(comparison), 'test')} of the table. It is apart from the family of the pairs.`
      : ''
  return [
    `By property: the tasks that state it are split between two of its values, where they part best (least squares of the property; six tasks on each side if possible; results do not matter). Change: the difference in ${outcome} on the higher values minus that on the lower ones, tasks as units, with Welch's limits for each row by itself.${tested} Change of ${spent}: the ratio of a typical task (geometric mean) on the higher values over that on the lower ones.${byProperty.some(({ nUnstated }) => nUnstated > 0) ? ' Tasks that do not state a property are left out of its rows.' : ''}`,
  ]
}

/** Returns one row of each property: its groups are the same for all pairs. */
function firstRows({ byProperty = [] }: Comparison): PropertyRow[] {
  return [...new Map(byProperty.toReversed().map((row) => [row.property, row])).values()].toReversed()
}

function groupsText({ property, lower, higher, nUnstated }: PropertyRow): string {
  const group = ({ nTasks, from, to }: PropertyRow['lower']) =>
    `${from === to ? from : `${from} to ${to}`} (${counted(nTasks, 'task')})`
  const left = nUnstated > 0 ? `, not stated by ${counted(nUnstated, 'task')}` : ''
  return `${property} ${group(lower)} and ${group(higher)}${left}`
}

function fewNotes({ silence }: Comparison, rows: readonly PropertyRow[]): string[] {
  const few = rows.filter(({ lower, higher }) => Math.min(lower.nTasks, higher.nTasks) < 6)
  if (few.length === 0) return []
  const what = silence === null ? 'described, not tested' : 'too few to say more than these tasks'
  return [`Fewer than 6 tasks in a group: ${few.map(({ property }) => property).join(', ')}; ${what}.`]
}
