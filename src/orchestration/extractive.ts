import { splitBulk } from '../text/token-estimate.ts'
import { factsThatMatter } from './facts.ts'
import { joinSegments, segments, withBulk } from './trim.ts'

/**
 * Summarises a text without a model, in at most `target` estimated tokens: the lines and sentences with the most new facts for
 * their length, then what else fits from the top, all in their order.
 */
export function extractiveSummary(text: string, target: number): string {
  const { plain, bulkTokens } = splitBulk(text)
  const all = segments(plain).map((segment, order) => {
    const facts = factsThatMatter(segment.text)
    return { ...segment, order, facts, density: facts.length / segment.text.length }
  })
  const picked = new Set<(typeof all)[number]>()
  const covered = new Set<string>()
  let room = target * 4
  const pick = (segment: (typeof all)[number]) => {
    // One character more, for the separator.
    if (segment.text.length + 1 > room) return
    room -= segment.text.length + 1
    picked.add(segment)
    for (const fact of segment.facts) covered.add(fact)
  }
  for (const segment of all.toSorted((a, b) => b.density - a.density || a.order - b.order)) {
    if (segment.facts.some((fact) => !covered.has(fact))) pick(segment)
  }
  for (const segment of all) if (!picked.has(segment)) pick(segment)
  return withBulk(joinSegments(all.filter((segment) => picked.has(segment))), bulkTokens, target)
}
