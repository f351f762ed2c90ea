import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { MethodCoordination } from '../../analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import type { Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import type { ComparisonFacts } from '../comparison/facts.ts'
import type { Report } from '../report.ts'
import type { Note } from '../tables/table.ts'
import { escapeForTerminal } from '../words/safe-text.ts'

/**
 * What `--format json` prints, one object: the summary with raw numbers (units in the names or in the comments of
 * `Summary`), null where a value is unknown, and the table's notes. Fields are only ever added under one schemaVersion.
 */
interface JsonReport extends Summary {
  schemaVersion: number
  kind: 'summary'
  run: string
  /** The table that real models were billed by, and whether prices of the user's own stood before it; null: none. */
  prices: (RunPrices['table'] & { own: boolean }) | null
  notes: Note[]
  /** How the methods compare, with what the reader has to know beside the numbers; null where there is nothing to compare. */
  comparison: (Comparison & { facts: ComparisonFacts; notes: Note[] }) | null
  /** How agents worked together, where it was asked for. */
  coordination?: MethodCoordination[]
  /** What became of right and wrong candidates, where they were graded. */
  errorFlow?: MethodErrorFlow[]
}

/** The report as an indented JSON object; see `JsonReport`. */
export function renderJson({ run, summary, prices, methods, comparison, sections }: Report): string {
  const report: JsonReport = {
    schemaVersion,
    kind: 'summary',
    run,
    ...summary,
    prices: prices && { ...prices.table, own: prices.file !== undefined },
    notes: methods.notes,
    comparison: comparison && {
      ...comparison.comparison,
      facts: comparison.facts,
      notes: comparison.notes,
    },
    ...Object.fromEntries(sections.map(({ name, data }) => [name, data])),
  }
  // JSON escapes the first 32 control characters by itself; others would still reach a terminal.
  return `${escapeForTerminal(JSON.stringify(report, null, 2))}\n`
}
