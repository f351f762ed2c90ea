import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { IntervalMismatch, PairWarning } from '../../analysis/compare/pair-results.ts'
import { counted } from '../words/numbers.ts'
import { listed } from './who.ts'

/** Returns what a reader must know of the pairs of a comparison, the gravest first. */
export function pairWarnings(comparison: Comparison): string[] {
  const { pairs, touched = [], oneProcess = 0 } = comparison
  const named = (is: (pair: PairComparison) => boolean) => pairNames(pairs, pairs.filter(is))
  const warn = (is: (pair: PairComparison) => boolean, textOf: (names: string) => string) => {
    const names = named(is)
    return names === '' ? [] : [textOf(names)]
  }
  return [
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
      (names) => `${names}: the missing trials could reverse the result.`,
    ),
    ...suiteWarnings(pairs),
    ...(['rare-failures', 'skewed-differences'] as const).flatMap((sign) =>
      warn(
        ({ warnings, verdict }) =>
          warnings.includes(sign) && (sign !== 'rare-failures' || verdict?.word === 'better'),
        (names) => `${names}: ${signs[sign]}`,
      ),
    ),
    ...(['excludes-zero', 'holds-zero', 'exceeds-margin', 'inside-margin'] as const).flatMap((kind) =>
      warn(
        ({ mismatch }) => mismatch === kind,
        (names) => `${names}: ${mismatches[kind](comparison)}`,
      ),
    ),
    ...touched.map(({ label, trials }) => `${label}: people took part in ${counted(trials, 'trial')}.`),
    ...(oneProcess > 0
      ? [
          `the tests of ${counted(oneProcess, 'task')} ran in the process of the solution, which can fake them.`,
        ]
      : []),
  ]
}

const signs: Record<PairWarning, string> = {
  'rare-failures': 'few tasks are lost whole and decide the result, so the test claims too often.',
  'skewed-differences': 'few tasks decide the result, so the stop rule claims too often.',
}

const mismatches: Record<IntervalMismatch, (comparison: Comparison) => string> = {
  'excludes-zero': ({ family, stop }) =>
    family.size > 1 && !stop
      ? `limits clear of 0, but nothing established: limits are for one pair alone, p for ${family.size} together.`
      : 'limits clear of 0, but nothing established: p is of another test.',
  'holds-zero': () =>
    'a method is better, but the limits hold 0: they count only which one solves most epochs.',
  'exceeds-margin': () =>
    'limits reach beyond the margin: its test has 5% on each side, as limits of 90% have.',
  'inside-margin': () => 'limits inside the margin, but so few tasks do not exclude rarer losses.',
}

/** Names the pairs on which suites disagree, and how. */
function suiteWarnings(pairs: readonly PairComparison[]): string[] {
  const split = pairs.filter(({ suites }) => suites?.disagreement)
  if (split.length === 0) return []
  const [only] = split
  const sides = only?.suites
  const detail =
    split.length === 1 && only && sides && sides.forA.length > 0 && sides.forB.length > 0
      ? ` (${only.a} is ahead on ${listed(sides.forA)}, ${only.b} on ${listed(sides.forB)})`
      : ''
  return [`${pairNames(pairs, split)}: the suites disagree${detail}; the word is over all tasks together.`]
}

function pairNames(all: readonly PairComparison[], some: readonly PairComparison[]): string {
  if (some.length > 2) return some.length === all.length ? 'all pairs' : counted(some.length, 'pair')
  return some.map(({ a, b }) => `${a} and ${b}`).join('; ')
}
