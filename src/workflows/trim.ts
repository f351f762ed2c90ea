import { bulkText, estimateTokens, splitBulk } from '../text/token-estimate.ts'

/** Adds to a text as much of its bulk (dev mode's stand-in for long text) as fits into `target` tokens with it. */
export function withBulk(plain: string, bulkTokens: number, target: number): string {
  const room = Math.min(bulkTokens, target - estimateTokens(`${plain}\n`))
  return room >= 1 ? `${plain}\n${bulkText(Math.floor(room), 'detail')}` : plain
}

/** Splits a text into lines, and long lines into sentences; `line` says which belong together. Leaves out blank ones. */
export function segments(text: string): { text: string; line: number }[] {
  return text
    .split('\n')
    .flatMap((whole, line) =>
      (whole.length > 200 ? whole.split(/(?<=[.!?]) +/) : [whole])
        .filter((part) => part.trim() !== '')
        .map((part) => ({ text: part.trimEnd(), line })),
    )
}

/** Joins segments again: those of one line by a space, lines by a line break. */
export function joinSegments(parts: readonly { text: string; line: number }[]): string {
  let text = ''
  parts.forEach((part, i) => {
    text += i === 0 ? part.text : (parts[i - 1]?.line === part.line ? ' ' : '\n') + part.text
  })
  return text
}

/**
 * Cuts a text to at most `target` estimated tokens, between lines or sentences; `keep` says which end stays. It cuts inside a
 * sentence only if not even one fits.
 */
export function trimToTokens(text: string, target: number, keep: 'start' | 'end' = 'start'): string {
  if (estimateTokens(text) <= target) return text
  const { plain, bulkTokens } = splitBulk(text)
  const all = segments(plain)
  if (keep === 'end') all.reverse()
  const kept: typeof all = []
  let room = target * 4
  for (const segment of all) {
    room -= segment.text.length + 1
    if (room < 0) break
    kept.push(segment)
  }
  if (keep === 'end') kept.reverse()
  const cut = keep === 'start' ? plain.slice(0, target * 4) : plain.slice(-target * 4)
  // Half a surrogate pair at the cut is not a character.
  const whole = cut.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
  return withBulk(kept.length > 0 ? joinSegments(kept) : whole, bulkTokens, target)
}
