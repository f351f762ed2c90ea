import type { TrialRecord } from '../../schema/ledger/record.ts'

/** The trials of two methods in one epoch of a task; undefined: without a record. */
export interface EpochPair {
  epoch: number
  a: TrialRecord | undefined
  b: TrialRecord | undefined
}

type WholePair = { epoch: number; a: TrialRecord; b: TrialRecord }

/** What tells one epoch from another, the most important first. */
const differences: readonly [why: string, of: (record: TrialRecord) => unknown][] = [
  ['the first in which one passed and the other did not', ({ passed }) => passed],
  ['the first in which the scores differ', ({ score }) => score],
  ['the first in which the trials ended differently', ({ outcome }) => outcome.status],
  ['the first in which they handed in something else', ({ delivered }) => delivered],
]

/**
 * Returns the first epoch in which two methods differ, by result, score, end, then by what they handed in, and why it is this
 * one; the first whole epoch if they differ nowhere; undefined if no epoch has ended under both.
 */
export function differingEpoch(epochs: readonly EpochPair[]): { pair: WholePair; why: string } | undefined {
  const whole = epochs.flatMap(({ epoch, a, b }) => (a && b ? [{ epoch, a, b }] : []))
  for (const [why, of] of differences) {
    const pair = whole.find(({ a, b }) => of(a) !== of(b))
    if (pair) return { pair, why }
  }
  const [pair] = whole
  return pair && { pair, why: 'the first; the two handed in the same in each epoch' }
}
