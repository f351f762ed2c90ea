import type { Comparison } from '../../analysis/compare/comparison.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import type { Report } from '../report.ts'
import { claimTestOf } from '../words/result-text.ts'
import { escapeForTerminal } from '../words/safe-text.ts'

/**
 * Renders the report as an indented JSON object: the summary with raw numbers (units are in the names or in the comments of `Summary`),
 * null for unknown values, the notes, the comparison with its facts, the data of further sections by their names, and `flips` if they were asked for. Under one
 * schemaVersion fields are only added.
 */
export function renderJson({
  run,
  summary,
  prices,
  methods,
  amendments,
  earlier,
  comparison,
  sections,
  flips,
  gate,
}: Report): string {
  const report = {
    schemaVersion,
    kind: 'summary',
    run,
    ...summary,
    prices: prices && { ...prices.table, own: prices.file !== undefined },
    notes: methods.notes,
    ...(amendments.length > 0 && { amendments }),
    ...(earlier.length > 0 && { earlier }),
    comparison: comparison && {
      ...nameTests(comparison.comparison),
      facts: comparison.facts,
      notes: comparison.notes,
    },
    ...Object.fromEntries(sections.map(({ name, data }) => [name, data])),
    ...(flips && { flips: flips.data }),
    ...(gate && { gate }),
  }
  // JSON escapes only the first 32 control characters; others would reach a terminal.
  return `${escapeForTerminal(JSON.stringify(report, null, 2))}\n`
}

/** Adds to each claim's p the name of its test. */
const nameTests = (comparison: Comparison) => ({
  ...comparison,
  pairs: comparison.pairs.map(({ outcome, ...pair }) => ({
    ...pair,
    outcome: { ...outcome, claimTest: claimTestOf(outcome) },
  })),
})
