import { type SavingSums, sumRuns } from '../../analysis/tool-savings.ts'
import type { ToolRun } from '../../schema/ledger/record.ts'
import { counted, formatCount, formatShare, nothing } from './numbers.ts'

/** Formats the share that a report saved, in percent; below 0 if the report is the longer one, nothing if the tool printed nothing. */
export const savedText = (share: number | null): string => (share === null ? nothing : formatShare(share))

/** Describes one run of a tool: its output, its report, and what that saved. */
export const toolRunText = ({ tool, ...run }: Omit<ToolRun, 'stage'>): string =>
  `${tool}: ${sumsText(sumRuns([run]))}`

/** Describes the runs of a trial's tools in one line. */
export const toolRunsText = (runs: readonly ToolRun[]): string =>
  `${counted(runs.length, 'run')}: ${sumsText(sumRuns(runs))}`

const sumsText = ({ rawTokens, compactTokens, share }: SavingSums) =>
  `output ${formatCount(rawTokens)} tokens, report ${formatCount(compactTokens)}${share === null ? '' : `, saved ${savedText(share)}%`} (estimated)`
