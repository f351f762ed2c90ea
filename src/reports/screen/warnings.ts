import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { PairWarning } from '../../analysis/compare/pair-results.ts'
import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import { rangeText } from '../claims/rows.ts'
import { narrowerName, whyNotBetter } from '../comparison/claim-notes.ts'
import { amendedNotes } from '../comparison/run-notes.ts'
import { mechanismWarnings } from '../mechanisms/section.ts'
import { deciderWarnings } from '../mixes/routes.ts'
import { gatewayNotes, servedWarnings } from '../notes/conduct-notes.ts'
import { noVerdictNotes } from '../notes/trial-notes.ts'
import type { Report } from '../report.ts'
import { methodName } from '../tables/task-columns.ts'
import { skippedTexts } from '../words/amendments-text.ts'
import { counted, formatCount, formatPercent, listed, present, ratioText } from '../words/numbers.ts'
import { refusalText } from '../words/result-text.ts'
import { missingWarnings } from './missing-trials.ts'

/** Returns what a reader must know before believing the rows, the gravest first. A new warning is a function and a line here. */
export function screenWarnings({ summary, comparison, amendments, skipped }: Report): string[] {
  return present([
    ...(comparison ? pairWarnings(comparison.comparison) : []),
    ...(comparison
      ? [
          ...amendedNotes(comparison.facts),
          ...limitWarnings(comparison.facts.runs),
          ...alikeWarnings(comparison.facts.runs),
        ]
      : []),
    comparison === null && amendments.length > 0 && 'the plan was changed during the run.',
    ...skippedTexts(skipped),
    summary.absent.length > 0 && `no trial yet of ${summary.absent.join(', ')}.`,
    ...(comparison ? sharedTaskWarnings(comparison.comparison) : []),
    ...missingWarnings(summary, comparison?.comparison ?? null),
    ...noVerdictNotes(summary),
    ...faultWarnings(summary),
    ...matchWarnings(summary),
    ...servedWarnings(summary),
    ...deciderWarnings(summary),
    ...(comparison ? largestWarnings(comparison.comparison, summary.baseline) : []),
    ...costWarnings(summary),
    ...mechanismWarnings(summary),
    ...conductWarnings(summary),
    ...gatewayNotes(summary),
  ])
}

function limitWarnings(
  runs: readonly { stoppedByLimit: boolean; recorded: number; planned: number }[],
): string[] {
  return runs
    .filter(({ stoppedByLimit }) => stoppedByLimit)
    .map(
      ({ recorded, planned }) =>
        `a limit stopped the run after ${formatCount(recorded)} of ${counted(planned, 'trial')}.`,
    )
}

function alikeWarnings(runs: readonly { alike?: number }[]): string[] {
  const alike = Math.max(...runs.map((run) => run.alike ?? 0))
  return alike === 0
    ? []
    : [
        `${counted(alike, 'task')} ${alike === 1 ? 'is' : 'are'} nearly equal to another and count${alike === 1 ? 's' : ''} as independent, so the limits are too narrow; give tasks that are alike one cluster.`,
      ]
}

function faultWarnings({ faults, unsandboxed }: Summary): string[] {
  return present([
    faults !== null && `faults were injected (${faults}): the numbers describe them, too.`,
    unsandboxed !== undefined &&
      `in ${counted(unsandboxed, 'trial')} code or an agent ran without a sandbox.`,
  ])
}

function matchWarnings({ methods }: Summary): string[] {
  return methods.flatMap(({ method, match }) => {
    if (!match || match.isMatched) return []
    const { ratio, unit, method: other } = match
    return [
      ratio === null
        ? `${method}: its ${unit} relative to ${other} are unknown, so it is not matched.`
        : `${method} spent ${ratio.toFixed(2)}x the ${unit} of ${other}: not matched (more than 10% off).`,
    ]
  })
}

/** With fewer tasks than this one task holds more than a fifth by itself. */
const fewestForShare = 10

/** Names the task that holds much of a method's cost, with the ratio to the baseline without it. */
function largestWarnings({ pairs }: Comparison, baseline: string | null): string[] {
  const held = pairs.flatMap((pair) => {
    const { largest } = pair.spent.costUsd
    return largest && largest.nTasks >= fewestForShare ? [{ pair, largest }] : []
  })
  const texts = new Map<string, string>()
  for (const { pair, largest } of held) {
    const { of, task, share, ratioWithout } = largest
    const isTurned = pair.b !== baseline && pair.a === baseline
    const ratio = ratioWithout === null || !isTurned ? ratioWithout : 1 / ratioWithout
    const [over, under] = isTurned ? [pair.b, pair.a] : [pair.a, pair.b]
    const without = ratio === null ? '' : `; without it ${over} costs ${ratioText(ratio)} of ${under}`
    if (!texts.has(of))
      texts.set(of, `one task holds ${formatPercent(share)} of the cost of ${of} (${task})${without}.`)
  }
  return [...texts.values()]
}

function costWarnings(summary: Summary): string[] {
  // Other harnesses may not count calls.
  const unit = summary.imported ? 'trial' : 'call'
  const unknown = summary.methods.filter(({ unreported }) => unreported.listCalls > 0)
  const none = unknown.filter(({ listCost }) => listCost.perTrial.value === null)
  const some = unknown.filter(({ listCost }) => listCost.perTrial.value !== null)
  const few = summary.methods.filter(
    ({ costPerSuccess: { kind, solvedTasks } }) => kind === 'bounded' && solvedTasks < 5,
  )
  const names = (rows: readonly MethodSummary[]) =>
    rows.length === summary.methods.length && rows.length > 2
      ? 'each method'
      : listed(rows.map((row) => methodName(row, summary)))
  return present([
    none.length > 0 && `no ${unit} of ${names(none)} has a known cost.`,
    some.length > 0 && `some ${unit}s of ${names(some)} have no known cost; >= is a lower bound.`,
    few.length > 0 &&
      `fewer than 5 tasks were solved by ${names(few)}: the limits of cost per success are rough.`,
  ])
}

function conductWarnings(summary: Summary): string[] {
  const of = (count: (row: MethodSummary) => number) =>
    summary.methods.flatMap((row) => (count(row) > 0 ? [`${count(row)} of ${methodName(row, summary)}`] : []))
  const failed = of(({ outcomes }) => outcomes.failed)
  const deviating = of(({ fidelity }) => fidelity.deviates)
  const empty = of(({ doneWithNothing }) => doneWithNothing.trials)
  return present([
    failed.length > 0 && `the method broke, or could not use a reply, in trials: ${failed.join(', ')}.`,
    deviating.length > 0 &&
      `trials deviated from the declaration of their strategy: ${deviating.join(', ')}.`,
    empty.length > 0 && `trials claimed to be done and delivered nothing: ${empty.join(', ')}.`,
  ])
}

/** More pairs than this are counted instead of named. */
const mostNamed = 2

function sharedTaskWarnings({ pairs }: Comparison): string[] {
  const partial = pairs.filter(({ outcome }) => outcome.nDropped > 0 && outcome.nTasks > 0)
  if (partial.length <= mostNamed) return partial.map(pairText)
  const outside = partial.filter(({ outcome }) => outcome.missing?.excludesEstimate).length
  const beyond = outside === 0 ? '' : `; ${outside} of them are outside of what the missing trials allow`
  return [`the differences of ${counted(partial.length, 'pair')} are over the tasks that both have${beyond}.`]
}

function pairText({ a, b, outcome: { nTasks, nDropped, missing } }: PairComparison): string {
  const over = `${a} than ${b}: the difference is over the ${nTasks} of ${nTasks + nDropped} tasks that both have`
  if (!missing?.excludesEstimate || missing.low === null || missing.high === null) return `${over}.`
  const range = rangeText({ lower: missing.low, upper: missing.high })
  return `${over}; with the missing trials it would be ${range}: trust these.`
}

function pairWarnings(comparison: Comparison): string[] {
  const { pairs, touched = [], oneProcess = 0 } = comparison
  const named = (is: (pair: PairComparison) => boolean) => pairNames(pairs, pairs.filter(is))
  const warn = (is: (pair: PairComparison) => boolean, textOf: (names: string) => string) => {
    const names = named(is)
    return names === '' ? [] : [textOf(names)]
  }
  return present([
    ...warn(
      ({ confounded }) => confounded !== null,
      (names) => `${names}: other models, too, so a difference may be the model's.`,
    ),
    ...warn(
      ({ tools }) => tools?.kind === 'confounded',
      (names) => `${names}: other tools, too, so a difference may be the tools'.`,
    ),
    ...warn(
      ({ outcome }) => outcome.missing?.decides === true,
      (names) => `${names}: ${refusalText('missing-decides')}.`,
    ),
    ...suiteWarnings(pairs),
    ...(['rare-failures', 'skewed-differences'] as const).flatMap((sign) =>
      warn(
        ({ warnings, verdict }) =>
          warnings.includes(sign) && (sign !== 'rare-failures' || verdict?.word === 'better'),
        (names) => `${names}: ${signs[sign]}`,
      ),
    ),
    ...mismatchWarnings(comparison),
    ...touched.map(({ label, trials }) => `${label}: people took part in ${counted(trials, 'trial')}.`),
    oneProcess > 0 &&
      `the tests of ${counted(oneProcess, 'task')} ran in the process of the solution, which can fake them.`,
  ])
}

const signs: Record<PairWarning, string> = {
  'rare-failures': 'few tasks are lost whole and decide the result, so the test claims too often.',
  'skewed-differences': 'few tasks decide the result, so the stop rule claims too often.',
}

function mismatchWarnings(comparison: Comparison): string[] {
  const { pairs } = comparison
  const texts = pairs.map((pair) => mismatchText(pair, comparison))
  return [...new Set(texts)].filter(Boolean).map((text) => {
    const named = pairs.filter((_, index) => texts[index] === text)
    return `${pairNames(pairs, named)}: ${text}`
  })
}

/** Says why the limits of a pair and its word seem to contradict each other; empty where they do not, or another warning says it. */
function mismatchText(pair: PairComparison, comparison: Comparison): string {
  switch (pair.mismatch) {
    case null:
      return ''
    case 'excludes-zero': {
      const why = whyNotBetter(pair, comparison)
      if (why === 'missing' || why === 'no-test') return ''
      const because =
        why === 'family'
          ? `limits are for one pair alone, p for ${comparison.family.size} together`
          : 'p is of another test'
      return `limits clear of 0, but nothing established: ${because}.`
    }
    case 'exceeds-margin':
      return pair.verdict?.word === 'equivalent'
        ? `limits reach beyond the margin: its test is on each side, as limits of ${narrowerName(comparison)} are.`
        : 'limits reach beyond the margin: its test is of another procedure.'
    case 'inside-margin':
      return 'limits inside the margin, but so few tasks do not exclude rarer losses.'
  }
}

function suiteWarnings(pairs: readonly PairComparison[]): string[] {
  const split = pairs.filter(({ suites }) => suites?.disagreement)
  if (split.length === 0) return []
  const [only] = split
  const sides = only?.suites
  const detail =
    split.length === 1 && only && sides && sides.forA.length > 0 && sides.forB.length > 0
      ? ` (the estimate is for ${only.a} on ${listed(sides.forA)}, for ${only.b} on ${listed(sides.forB)})`
      : ''
  return [`${pairNames(pairs, split)}: the suites disagree${detail}; the word is over all tasks together.`]
}

function pairNames(all: readonly PairComparison[], some: readonly PairComparison[]): string {
  if (some.length > 2) return some.length === all.length ? 'all pairs' : counted(some.length, 'pair')
  return some.map(({ a, b }) => `${a} and ${b}`).join('; ')
}
