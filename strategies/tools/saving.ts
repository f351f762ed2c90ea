import { steadyOutput } from './steady-text.ts'

/** What a compact report saves against the output that it stands for, in estimated tokens. */
export interface Saving {
  rawTokens: number
  compactTokens: number
  /** The part that is saved; below 0 if the report is the longer one, null if the tool printed nothing. */
  share: number | null
}

/** Measures the saving of a report as it is handed on, as JSON on one line, against the output as equal runs print it. */
export function measureSaving(output: string, report: unknown): Saving {
  const rawTokens = tokensOf(steadyOutput(output))
  const compactTokens = tokensOf(JSON.stringify(report))
  return { rawTokens, compactTokens, share: rawTokens === 0 ? null : 1 - compactTokens / rawTokens }
}

/** 4 characters a token. A marker of a simulated reply is no more than its characters here: a tool printed it. */
const tokensOf = (text: string) => Math.ceil(text.length / 4)
