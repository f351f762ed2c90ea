import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { MethodCoordination } from '../../analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import type { Summary } from '../../analysis/summary.ts'
import type { AgentContext } from '../../analysis/workflow/contexts.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import type { Amendment } from '../../schema/run/amendment.ts'
import type { ComparisonFacts } from '../comparison/run-notes.ts'
import type { Report } from '../report.ts'
import type { SavingRow } from '../savings/section.ts'
import type { Note } from '../tables/table.ts'
import { type ClaimTest, claimTestOf } from '../words/result-text.ts'
import { escapeForTerminal } from '../words/safe-text.ts'

/**
 * The object that `--format json` prints: the summary with raw numbers (units are in the names or in the comments of
 * `Summary`), null for unknown values, and the notes. Under one schemaVersion fields are only added.
 */
interface JsonReport extends Summary {
  schemaVersion: number
  kind: 'summary'
  run: string
  /** The price table of real models, and whether prices of the user came first; null: none. */
  prices: (RunPrices['table'] & { own: boolean }) | null
  notes: Note[]
  /** How the plan was changed during the run; absent if it was not. */
  amendments?: readonly Amendment[]
  /** The comparison of the methods with its facts and notes; null without a pair. */
  comparison: (NamedComparison & { facts: ComparisonFacts; notes: Note[] }) | null
  /** Coordination of the agents, if it was requested. */
  coordination?: MethodCoordination[]
  /** The fullest context windows by agent, for methods that run workflows of states; their sums are in `methods[].machine`. */
  contextWindows?: AgentContext[]
  /** What compact reports of tools saved, by method, stage and tool. */
  toolSavings?: SavingRow[]
  /** Error flow of candidates, if they were graded. */
  errorFlow?: MethodErrorFlow[]
}

/** The comparison, with the name of the test that each claim's p comes from. */
type NamedComparison = Omit<Comparison, 'pairs'> & {
  pairs: (Omit<PairComparison, 'outcome'> & {
    outcome: PairComparison['outcome'] & { claimTest: ClaimTest | null }
  })[]
}

/** Renders the report as an indented JSON object; see `JsonReport`. */
export function renderJson({
  run,
  summary,
  prices,
  methods,
  amendments,
  comparison,
  sections,
}: Report): string {
  const report: JsonReport = {
    schemaVersion,
    kind: 'summary',
    run,
    ...summary,
    prices: prices && { ...prices.table, own: prices.file !== undefined },
    notes: methods.notes,
    ...(amendments.length > 0 && { amendments }),
    comparison: comparison && {
      ...nameTests(comparison.comparison),
      facts: comparison.facts,
      notes: comparison.notes,
    },
    ...Object.fromEntries(sections.map(({ name, data }) => [name, data])),
  }
  // JSON escapes only the first 32 control characters; others would reach a terminal.
  return `${escapeForTerminal(JSON.stringify(report, null, 2))}\n`
}

const nameTests = (comparison: Comparison): NamedComparison => ({
  ...comparison,
  pairs: comparison.pairs.map(({ outcome, ...pair }) => ({
    ...pair,
    outcome: { ...outcome, claimTest: claimTestOf(outcome) },
  })),
})
