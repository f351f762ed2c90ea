import { inspect, styleText } from 'node:util'

type Style = 'bold' | 'yellow'

/**
 * Writes a report to stdout. At a terminal that wants it (NO_COLOR, FORCE_COLOR and TERM are heeded) the row of `leader`, the method that
 * leads, and the names of sentences are bold, and warnings begin in yellow.
 */
export function printReport(text: string, leader: string | null): void {
  const wantsStyle = styleText('bold', 'x', { stream: process.stdout }) !== 'x'
  if (!wantsStyle) {
    process.stdout.write(text)
    return
  }
  for (const [part, style] of styledParts(text, leader)) {
    const [on, off] = style ? (inspect.colors[style] ?? []) : []
    // The streams let a control sequence pass only if it is written alone: texts of others may hold some.
    if (on !== undefined) process.stdout.write(`\u001b[${on}m`)
    process.stdout.write(part)
    if (off !== undefined) process.stdout.write(`\u001b[${off}m`)
  }
}

/** Cuts a report into parts with and without a style. */
export function styledParts(text: string, leader: string | null): [part: string, style?: Style][] {
  const parts: [string, Style?][] = []
  let isLeaderSeen = leader === null
  for (const line of text.split(/(?<=\n)/)) {
    const [label = ''] = /^(?:Errors|Who|Price|Sure|Past|Warn)(?= )/.exec(line) ?? []
    if (!isLeaderSeen && (line.startsWith(`${leader} `) || line.trimEnd() === leader)) {
      isLeaderSeen = true
      parts.push([line.replace(/\n$/, ''), 'bold'], ['\n'])
    } else if (label !== '')
      parts.push([label, label === 'Warn' ? 'yellow' : 'bold'], [line.slice(label.length)])
    else parts.push([line])
  }
  return parts
}
