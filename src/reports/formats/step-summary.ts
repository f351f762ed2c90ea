import type { Report } from '../report.ts'
import { escapeMarkdown, renderMarkdown } from './markdown.ts'

/** A condition of `--fail-if` that held, with the value. */
export interface FailedCondition {
  text: string
  value: string
}

/**
 * Renders a run as Markdown for the summary of a CI step: the failed conditions, then the first screen. At most `mostBytes` of
 * UTF-8 in whole lines, because a longer summary would be discarded as a whole.
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
    `\nThe rest is in ${escapeMarkdown(report.run)}.\n`,
  )
}

function shortenToBytes(text: string, mostBytes: number, ending: string): string {
  if (Buffer.byteLength(text) <= mostBytes) return text
  const room = mostBytes - Buffer.byteLength(ending)
  const bytes = Buffer.from(text)
  const end = bytes.lastIndexOf('\n', Math.max(0, room - 1))
  return room <= 0 || end < 0 ? '' : `${bytes.toString('utf8', 0, end + 1)}${ending}`
}
