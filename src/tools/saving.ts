import { estimateTokens } from '../text/token-estimate.ts'

/** What a compact report saves against the output that it stands for, in estimated tokens. */
export interface Saving {
  rawTokens: number
  compactTokens: number
  /** The part that is saved; below 0 if the report is the longer one, null if the tool printed nothing. */
  share: number | null
}

/** Measures the saving of a report as it is handed on: as JSON on one line. */
export function measureSaving(output: string, report: unknown): Saving {
  const rawTokens = estimateTokens(output)
  const compactTokens = estimateTokens(JSON.stringify(report))
  return { rawTokens, compactTokens, share: rawTokens === 0 ? null : 1 - compactTokens / rawTokens }
}
