import type { ClaimFamily, FamilySize } from '../../analysis/claims/claims.ts'
import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { meanUsd, planPair, planRun } from '../../analysis/compare/run-plan.ts'
import { evidence } from '../../analysis/evidence.ts'
import type { EarlierRow } from '../../analysis/summary.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { Report } from '../report.ts'
import { marginText } from '../words/claim-words.ts'
import { counted, formatCount, formatUsd, present } from '../words/numbers.ts'
import { refusalText } from '../words/result-text.ts'
import { shareText } from './rows.ts'

/** Says how sure the answer is: what is tested, how large a difference this run finds, and what would help. */
export function sureText({ summary, comparison }: Report, compared: Comparison | null): string {
  const tasks = counted(summary.tasks.length, 'task')
  if (compared === null || comparison === null)
    return summary.tasks.length < 2
      ? `not sure: ${tasks} ${summary.tasks.length === 1 ? 'says' : 'say'} nothing about other tasks.`
      : `nothing is compared; the limits are over ${tasks}.`
  const { silence, stop, pairs } = compared
  if (silence === 'simulated') return `not tested: ${evidence.simulated.untested}.`
  if (stop) return stopText(stop, pairs.length, tasks)
  if (silence === 'looked') return `not tested: ${refusalText(silence)}${looksText(comparison.facts.looks)}.`
  if (silence !== null) return `not tested: ${refusalText(silence)}.`
  return testedText(compared, tasks)
}

const looksText = (looks: readonly number[]) =>
  looks.length === 0 ? '' : ` (${looks.length === 1 ? 'a look' : 'looks'} at ${looks.join(', ')} records)`

function stopText(
  { settledAt, looks }: NonNullable<Comparison['stop']>,
  pairs: number,
  tasks: string,
): string {
  const adjusted = `p holds at every look of the stop rule${pairs > 1 ? `, for ${pairs} pairs together` : ''}`
  return settledAt === null
    ? `${adjusted}; not settled after ${counted(looks, 'task')}.`
    : `${adjusted}; settled after task ${settledAt} of ${tasks}. An early stop overstates differences.`
}

function testedText(compared: Comparison, tasks: string): string {
  const { family, pairs, margin } = compared
  const refused = pairs.flatMap(({ outcome, adjustedP }) =>
    adjustedP === null && outcome.refusal !== null ? [outcome.refusal] : [],
  )
  if (family.size === 0 && refused.includes('too-few-tasks'))
    return `not tested: ${tasks} are too few for a test; it takes at least 6, and more to find a small difference.`
  if (family.size === 0) return `not tested: ${refused[0] ? refusalText(refused[0]) : 'no pair has a test'}.`
  const parts = [
    ...clusterTexts(compared),
    familiesText(compared.families),
    ...findText(pairs),
    ...moreText(compared),
    ...marginTexts(pairs, margin),
  ]
  return `${parts.join('; ')}.`
}

const familyNames: Readonly<Record<ClaimFamily, string>> = {
  success: 'success',
  margin: 'the margin',
  price: 'price',
  spending: 'spending',
  suites: 'suites',
  properties: 'properties',
  choices: 'choices of a method',
}

/** The families whose claims stand on the first screen. */
const onScreen: readonly ClaimFamily[] = ['success', 'margin', 'price', 'suites']

/** Names every family of the screen with its number of tests and the chance of a false claim in it. */
function familiesText(families: readonly FamilySize[]): string {
  const shown = families.filter(({ family }) => onScreen.includes(family))
  const level = `${Number((100 * (shown[0]?.level ?? 0)).toFixed(2))}%`
  const sizes = shown.map(
    ({ family, tests }, index) => `${familyNames[family]} (${index === 0 ? counted(tests, 'test') : tests})`,
  )
  const each = shown.length > 1 ? ' each' : ''
  return `false claims in at most ${level} of such runs${each}: ${sizes.join(', ')}`
}

/** Says by what tasks are grouped, so that a reader counts the units that the tests count. */
function clusterTexts({ clusters, tasks }: Comparison): string[] {
  return clusters === null
    ? []
    : [`tests and limits are by cluster: ${counted(clusters, 'cluster')} of ${counted(tasks.length, 'task')}`]
}

/** Says which true differences a test in this family finds with 80% power. */
function findText(pairs: Comparison['pairs']): string[] {
  const tested = pairs.filter(({ adjustedP }) => adjustedP !== null)
  const numbers = tested.map(({ outcome }) => outcome.nTasks)
  const [fewest, all] = [Math.min(...numbers), Math.max(...numbers)]
  const tasks = fewest === all ? counted(all, 'task') : `${fewest} to ${counted(all, 'task')}`
  const found = pairs.flatMap(({ adjustedP, planning: { mdeInFamily } }) =>
    adjustedP === null || mdeInFamily === null ? [] : [Math.ceil(100 * mdeInFamily - 1e-9)],
  )
  const [least, most] = [Math.min(...found), Math.max(...found)]
  if (found.length === 0) return []
  if (least > 100) return [`${tasks} are too few to find even the largest difference in 4 of 5 runs`]
  const size = least === most ? String(least) : `${least} to ${most > 100 ? 'over 100' : most}`
  return [`${tasks} find ${size} points in 4 of 5 runs`]
}

/** Says where a margin was asked for and is not shown. */
function marginTexts(pairs: Comparison['pairs'], margin: number | null): string[] {
  const open = pairs.filter(({ verdict }) => verdict?.word === 'not-established').length
  if (margin === null || open === 0) return []
  const within = `shown to be within the margin of ${marginText(margin)}`
  if (open === pairs.length) return [open === 1 ? `the pair is not ${within}` : `no pair is ${within}`]
  return [`${counted(open, 'pair')} ${open === 1 ? 'is' : 'are'} not ${within}`]
}

/** A difference that most readers care about, where no margin says which. */
const wanted = 0.1

/** Says how many tasks find the margin, or ten points, for every open pair, and for how many dollars. */
function moreText(compared: Comparison): string[] {
  const { pairs, margin, confidence, family, methods, clusters } = compared
  const open = pairs.filter(({ verdict }) => verdict?.word === 'not-established')
  if (open.length === 0 || clusters !== null) return []
  const delta = margin ?? wanted
  const test = { delta, alpha: (1 - confidence) / family.size, power: 0.8 }
  const usdOf = meanUsd(compared)
  const epochs = Math.max(...methods.map((method) => method.epochs.max))
  const plans = hardestOf(open).map((pair) =>
    planPair(pair, test, { asked: undefined, shown: epochs, usdOf }),
  )
  const { tasks, costUsd } = planRun(
    plans,
    methods.map(({ label }) => usdOf(label)),
    epochs,
  )
  if (tasks === null || tasks <= compared.tasks.length) return []
  const dollars = costUsd === null ? '' : `, about ${formatUsd(costUsd)} for all methods`
  return [`${marginText(delta)} take ${formatCount(tasks)} tasks${dollars}`]
}

/** Returns the pairs that need most tasks: to plan each of hundreds would take longer than all tests. */
function hardestOf(pairs: readonly PairComparison[]): PairComparison[] {
  const most = (of: (pair: PairComparison) => number) =>
    pairs.reduce((hardest, pair) => (of(pair) > of(hardest) ? pair : hardest))
  // What a pair finds shrinks with the root of its tasks; McNemar's test goes by the share of separated tasks.
  const bySpread = most(
    ({ outcome, planning }) => (planning.mdeInFamily ?? Infinity) * Math.sqrt(outcome.nTasks),
  )
  const byShare = most(({ outcome }) => outcome.separated / outcome.nTasks)
  return bySpread === byShare ? [bySpread] : [bySpread, byShare]
}

/** More rows than these are not named one by one. */
const mostNamed = 3

/** Says how the rows of a run stand to earlier runs: `sequential 71% [60, 80] in 3 earlier runs; 13% below their mean cost [5, 20]`; empty without any. */
export function pastText(rows: readonly EarlierRow[]): string {
  const texts = rows
    .slice(0, mostNamed)
    .map(({ method, set, runs, success, saved, isChanged }) =>
      present([
        `${rowName(method, set)} ${shareText(success)} in ${counted(runs, 'earlier run')}${isChanged ? ', changed since' : ''}`,
        savedText(saved),
      ]).join('; '),
    )
  const more = rows.length - texts.length
  if (texts.length === 0) return ''
  return `${texts.join('. ')}${more > 0 ? `. ${counted(more, 'more row')}: bench history runs` : ''}.`
}

function savedText({ saved, lower, upper }: EarlierRow['saved']): string {
  if (saved === null) return ''
  if (Math.abs(saved) < 0.05) return 'at their mean cost'
  const isLess = saved > 0
  const size = Math.abs(saved) < 0.5 ? 'less than 1' : Math.abs(saved).toFixed(0)
  const text = `${size}% ${isLess ? 'below' : 'above'} their mean cost`
  if (lower === null || upper === null) return text
  // Rounded outward; the sign is that of the word before.
  const [low, high] = isLess ? [lower, upper] : [-upper, -lower]
  return `${text} [${Math.floor(low)}, ${Math.ceil(high)}]`
}
