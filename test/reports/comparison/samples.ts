import type { PairComparison } from '../../../src/analysis/compare/comparison.ts'
import {
  type ComparisonReport,
  createComparisonReport,
} from '../../../src/reports/comparison/comparison-report.ts'
import type { Report } from '../../../src/reports/report.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { repeat, solves, trials } from '../../analysis/compare/compared.ts'
import { facts } from './compared-report.ts'

const [run] = facts.runs as [(typeof facts.runs)[number]]
export const ofRun = (changes: Partial<typeof run>) => ({ runs: [{ ...run, ...changes }] })
export const suite = (name: string, records: readonly TrialRecord[]) =>
  records.map((record) => ({ ...record, task: `${name}/${record.task}`, suite: name }))
export const dear = { spent: { input: 200, costUsd: 0.2 } }

/** a solves 18 of 20 tasks, b 6 of them at twice the price. */
export const clear = [...solves('a', 18, 20), ...solves('b', 6, 20, dear)]
export const level = [...solves('a', 11, 20), ...solves('b', 10, 20)]
/** Mid-p 1/32, exact p 1/16. */
export const five = [...solves('a', 7, 8), ...solves('b', 2, 8)]
export const simulated = clear.map((record) => ({ ...record, simulated: true }))
/** Several epochs, with noise within tasks. */
export const noisy = [
  ...trials('a', repeat('1010', 10)),
  ...trials('b', [...repeat('0110', 5), ...repeat('1110', 5)]),
]
export const steady = [
  ...trials('a', [...repeat('1111', 9), ...repeat('0000', 4), '1110']),
  ...trials('b', [...repeat('1111', 4), ...repeat('0000', 9), '1110']),
]
/** Equal on average; no task is lost whole, and 30 tasks are too few to exclude that at 5 points. */
const wavy = Array.from({ length: 30 }, (_, task) => (task % 2 === 0 ? '1111111110' : '1111111111'))
export const even = [...trials('a', wavy), ...trials('b', wavy.toReversed())]
/** Each task of a is one epoch of five worse, so that all differences are equal. */
export const shifted = [...trials('a', repeat('11110', 20)), ...trials('b', repeat('11111', 20))]
export const three = [...clear, ...solves('c', 12, 20)]
const order = Array.from({ length: 60 }, (_, task) => `s/${String(task).padStart(3, '0')}`)
export const stopped = (sequence: 'mcnemar' | 'empirical-bernstein' | 'asymptotic', tasks: number) => ({
  stop: { sequence, alpha: 0.05, comparisons: 1, hopedTasks: 30 } as const,
  order: order.slice(0, tasks),
  epochs: 1,
  methods: ['a', 'b'],
})
/** a is missing on two tasks that b solved. */
export const lost = [
  ...trials('a', ['-', '-', ...repeat('1', 8), ...repeat('0', 10)]),
  ...trials('b', [...repeat('1', 2), ...repeat('0', 18)]),
]

/** The report with this change of its only pair. */
export function withPair(made: Report, change: (pair: PairComparison) => PairComparison): Report {
  const { comparison } = made.comparison as ComparisonReport
  return {
    ...made,
    comparison: createComparisonReport({ ...comparison, pairs: comparison.pairs.map(change) }, facts),
  }
}

/** By the file of a note: the note, a report that has it and one that has not. */
export type Cases = Readonly<
  Record<string, readonly (readonly [note: RegExp, holds: () => Report, absent: () => Report])[]>
>
