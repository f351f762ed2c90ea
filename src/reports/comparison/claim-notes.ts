import type { Comparison, PairComparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { marginText } from '../words/claim-words.ts'
import { present } from '../words/numbers.ts'
import { claimTestText, confidenceName, formatP, levelOf, refusalText } from '../words/result-text.ts'
import { familySize, pairName } from './pair-columns.ts'

/** Returns one text per explanation with the names of its pairs: `A than B, C than B: …`. `detail` follows a name in brackets. */
export function groupPairs(
  pairs: readonly PairComparison[],
  explain: (pair: PairComparison) => string | null,
  detail: (pair: PairComparison) => string = () => '',
): string[] {
  const groups = new Map<string, string[]>()
  for (const pair of pairs) {
    const text = explain(pair)
    if (text === null) continue
    const more = detail(pair)
    groups.set(text, [...(groups.get(text) ?? []), `${pairName(pair)}${more ? ` (${more})` : ''}`])
  }
  return [...groups].map(([text, names]) => `${names.join(', ')}: ${text}`)
}

/** Returns a sentence for each pair whose interval, estimate and word seem to contradict each other. */
export function contradictionNotes(comparison: Comparison): string[] {
  const { pairs } = comparison
  const p = ({ outcome, adjustedP }: PairComparison) => {
    if (outcome.claimP === null) return ''
    const [own, adjusted] = [outcome.claimP, adjustedP].map((one) => formatP(one ?? 1, levelOf(comparison)))
    return own === adjusted ? `p ${own}` : `p ${own}, adjusted ${adjusted}`
  }
  return [
    ...groupPairs(pairs, (pair) => mismatchText(pair, comparison), p),
    ...groupPairs(pairs, ({ outcome }) =>
      outcome.outsideLimits
        ? 'the estimate lies outside of its limits, because the limits are around the centre of the confidence sequence, which weighs tasks by their order.'
        : null,
    ),
  ]
}

function mismatchText(pair: PairComparison, comparison: Comparison): string | null {
  const { mismatch, verdict, outcome, equivalent } = pair
  switch (mismatch) {
    case null:
      return null
    case 'excludes-zero':
      return `the limits are clear of 0, but the word is not "better": ${notBetterBecause(pair, comparison)}.`
    case 'exceeds-margin':
      return verdict?.word === 'equivalent'
        ? `the ${confidenceName(comparison)} limits reach beyond the margin: "equivalent" needs each side at the level ${levelOf(comparison)}, which is a ${narrowerName(comparison)} interval.`
        : `the limits reach beyond ${marginText(comparison.margin)}: they and the test against the margin come from two procedures.`
    case 'inside-margin':
      return `the limits are inside the margin, but ${outcome.nTasks} tasks do not exclude that rarer losses exceed it (limit ${(100 * (equivalent.guard?.limit ?? -1)).toFixed(1)}).`
  }
}

function notBetterBecause(pair: PairComparison, comparison: Comparison): string {
  const { outcome } = pair
  switch (whyNotBetter(pair, comparison)) {
    case 'missing':
      return refusalText('missing-decides')
    case 'no-test':
      return outcome.refusal === null ? 'there is no test' : refusalText(outcome.refusal)
    case 'family':
      return `the limits are for the pair by itself, and its p is adjusted over ${familySize(comparison)} pairs`
    case 'other-test':
      return `${limitsOf(outcome)}, and the claim goes by ${claimTestText(outcome)}`
  }
}

/** Returns why nothing is established though the limits of a pair are clear of 0. */
export function whyNotBetter(
  { outcome, adjustedP }: PairComparison,
  comparison: Comparison,
): 'missing' | 'no-test' | 'family' | 'other-test' {
  if (outcome.missing?.decides) return 'missing'
  if (claimTestText(outcome) === null || outcome.claimP === null || adjustedP === null) return 'no-test'
  return outcome.claimP < levelOf(comparison) ? 'family' : 'other-test'
}

const limitsOf = ({ interval }: PairComparison['outcome']) =>
  interval === 'newcombe'
    ? "the limits are Newcombe's"
    : interval === 'paired-t'
      ? 'the limits are of the paired t'
      : 'the limits are of which method solves most epochs of a task'

/** Returns the level of the interval that holds where each side is tested at the level of the claims. */
export const narrowerName = ({ confidence }: Comparison) =>
  confidenceName({ confidence: 1 - 2 * (1 - confidence) } as Comparison)

/** Returns warnings about procedures that claim too often on such data. */
export function procedureWarnings({ pairs }: Comparison): string[] {
  const warn = (warning: PairComparison['warnings'][number], text: string) =>
    groupPairs(pairs, ({ warnings }) => (warnings.includes(warning) ? text : null))
  return [
    ...warn(
      'rare-failures',
      'few tasks are lost whole by one method, and the others differ little. There the t test claims too often; more tasks help, more epochs do not.',
    ),
    ...warn(
      'skewed-differences',
      'the differences of tasks are skewed. There the asymptotic stop rule settles too often.',
    ),
  ]
}

/** Returns warnings about suites that disagree with each other or with the verdict. */
export function suiteWarnings({ pairs }: Comparison): string[] {
  return groupPairs(pairs, (pair) => {
    switch (pair.suites?.disagreement) {
      case 'opposite':
        return `suites point in opposite directions: ${sidesText(pair, pair.suites.clearlyForA, pair.suites.clearlyForB)}, by limits that are clear of 0. One verdict over both hides that.`
      case 'against-verdict':
        return `suites point in opposite directions: the estimate is for ${sidesText(pair, pair.suites.forA, pair.suites.forB)}.`
      case 'uneven':
        return 'its differences vary over suites more than chance explains.'
      default:
        return null
    }
  })
}

const sidesText = ({ a, b }: PairComparison, forA: readonly string[], forB: readonly string[]) =>
  `${a} on ${forA.join(', ')}; ${b} on ${forB.join(', ')}`

/** Returns what a verdict over several suites is over; empty for a single suite. */
export function pooledNotes({ suites, pairs, silence }: Comparison): string[] {
  if (suites.length === 0) return []
  const tasks = new Map<string, number>()
  for (const { suite, nTasks } of suites) tasks.set(suite, Math.max(tasks.get(suite) ?? 0, nTasks))
  const sizes = [...tasks].map(([suite, count]) => `${suite} ${count}`)
  const what = silence === null && pairs.some(({ verdict }) => verdict !== null) ? 'verdict' : 'difference'
  return [`The ${what} is over all tasks; a suite weighs by its tasks: ${sizes.join(', ')}.`]
}

/** Returns on how many suites which method is better; empty where suites are not tested. */
export function suiteWinNotes(comparison: Comparison): string[] {
  const { suites } = comparison
  if (suites.every(({ adjustedP }) => adjustedP === null)) return []
  const names = [...new Set(suites.map(pairName))]
  const wins = names.map((name) => ({
    name,
    words: winsOf(
      suites.filter((row) => pairName(row) === name),
      comparison,
    ),
  }))
  const open = wins.filter(({ words }) => words.length === 0).map(({ name }) => name)
  const shown = wins.flatMap(({ words }) => words)
  return present([
    shown.length > 0 &&
      `By suite, at ${confidenceName(comparison)} over all suites and pairs: ${shown.join('; ')}.`,
    open.length > 0 && `No difference is established on any suite: ${open.join(', ')}.`,
  ])
}

function winsOf(rows: readonly SuiteRow[], comparison: Comparison): string[] {
  const [{ a, b }] = rows as [SuiteRow]
  const level = levelOf(comparison)
  const shown = rows.filter(
    ({ adjustedP, refusal }) => adjustedP !== null && adjustedP < level && refusal === null,
  )
  const better = (method: string, other: string, sign: 1 | -1) => {
    const where = shown.filter(({ estimate }) => Math.sign(estimate ?? 0) === sign)
    if (where.length === 0) return []
    return [
      `${method} is better than ${other} on at least ${where.length} of ${rows.length} suites (${where.map(({ suite }) => suite).join(', ')})`,
    ]
  }
  return [...better(a, b, 1), ...better(b, a, -1)]
}

/** Returns who spends less without being worse, by the claims: giving up early is no saving. */
export function spendingClaims({ claims }: Comparison): string[] {
  const pairs = new Map<string, string[]>()
  for (const { kind, of, than, where } of claims)
    if (kind === 'dominates') {
      const name = `${of} than ${than}`
      pairs.set(name, [...(pairs.get(name) ?? []), where === 'costUsd' ? 'cost' : 'tokens'])
    }
  const named = [...pairs].map(([name, kinds]) => `${name} (${kinds.join(', ')})`)
  return named.length === 0 ? [] : [`Spends less, and is better or not worse: ${named.join('; ')}.`]
}
