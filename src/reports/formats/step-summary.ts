import type { Report } from '../report.ts'
import { escapeMarkdown, renderMarkdown } from './markdown.ts'

/** A condition of `--fail-if` that held, and for what value. */
export interface FailedCondition {
  text: string
  value: string
}

/**
 * What a run came to as Markdown for the summary of a CI step: whether its conditions let it pass, then the tables. At most
 * `mostBytes` of UTF-8, whole lines of it, since what is longer is thrown away as a whole.
 */
export function renderStepSummary(
  report: Report,
  held: readonly FailedCondition[],
  mostBytes: number,
): string {
  const gates = held.map(
    ({ text, value }) => `- **failed**: ${escapeMarkdown(text)} (it is ${escapeMarkdown(value)})`,
  )
  const lines = [...gates, ...(gates.length > 0 ? [''] : []), renderMarkdown(report, { part: 'short' })]
  return shortenToBytes(
    `${lines.join('\n')}\n`,
    mostBytes,
    `\nThe rest stands in ${escapeMarkdown(report.run)}.\n`,
  )
}

function shortenToBytes(text: string, mostBytes: number, ending: string): string {
  if (Buffer.byteLength(text) <= mostBytes) return text
  const room = mostBytes - Buffer.byteLength(ending)
  const bytes = Buffer.from(text)
  const end = bytes.lastIndexOf('\n', Math.max(0, room - 1))
  return room <= 0 || end < 0 ? '' : `${bytes.toString('utf8', 0, end + 1)}${ending}`
}
