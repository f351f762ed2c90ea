import { type CompareOptions, compareMethods } from '../../../src/analysis/compare/compare.ts'
import { createComparisonData } from '../../../src/analysis/compare/rows.ts'
import { createFigureData, type FigureData } from '../../../src/analysis/figures/figure-data.ts'
import { createFigureTrials } from '../../../src/analysis/figures/figure-trials.ts'
import { createSummary } from '../../../src/analysis/summarize.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'

/** An attempt at an ask by the auditor of the trial, at the clock's begin, for 80 + 20 tokens, except for the given fields. */
export function anAsk({
  tokens,
  ...changes
}: Partial<Omit<AskStep, 'tokens'>> & { tokens?: Partial<AskStep['tokens']> }): AskStep {
  return {
    kind: 'ask',
    trial: 's/1|a|1',
    key: '#0',
    attempt: 1,
    payer: 'method',
    hash: 'h',
    at: 0,
    durationMs: 1,
    role: 'auditor',
    work: 'judge',
    agent: 'scripted',
    simulated: false,
    prompt: 'p',
    reply: '{"compliance": 0.5}',
    tokens: { input: 80, output: 20, cached: 0, ...tokens },
    costUsd: 0.1,
    waitMs: 0,
    ...changes,
  }
}

/** What the figures of these records and steps show. */
export function figuresOf(
  records: readonly TrialRecord[],
  steps: readonly Step[] = [],
  options: CompareOptions = {},
): FigureData {
  const comparisonData = createComparisonData()
  const trials = createFigureTrials()
  const summary = createSummary({ baseline: options.baseline ?? null })
  for (const record of records) {
    comparisonData.add(record)
    trials.addRecord(record)
    summary.add(record)
  }
  for (const step of steps) trials.addStep(step)
  const several = comparisonData.rows().length > 1
  return createFigureData(trials.result(), comparisonData, {
    summary: summary.result(),
    comparison: several ? compareMethods(comparisonData, { resamples: 200, ...options }) : null,
    methods: options.methods ?? [],
    source: 'Made for a test.',
  })
}
