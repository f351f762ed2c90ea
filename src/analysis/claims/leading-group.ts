import type { Claim } from './claims.ts'

interface Ranked extends Record<'success' | 'score', { estimate: number | null }> {
  label: string
}

/** The methods that are not told apart from the best, and where each may stand. */
export interface LeadingGroup {
  /** The method with the highest estimate. */
  best: string
  /** All methods that the best is not shown to be better than, the best first, by their estimates. */
  labels: string[]
  /** Lowest and highest rank of each method that the claims allow: 1 + methods shown to be better, to all but those shown to be worse. */
  ranks: Readonly<Record<string, readonly [from: number, to: number]>>
}

/**
 * Returns the leading group by the tests of all pairs, whose family keeps its level whichever method is the best. Null where
 * not all pairs are tested, and for fewer than three methods.
 */
export function leadingGroup({
  methods,
  outcome,
  pairs,
  claims,
  family,
}: {
  methods: readonly Ranked[]
  outcome: 'success' | 'score'
  pairs: readonly unknown[]
  claims: readonly Claim[]
  family: { kind: string; size: number }
}): LeadingGroup | null {
  const isWhole = family.kind === 'all-pairs' && family.size === (methods.length * (methods.length - 1)) / 2
  if (!isWhole || methods.length < 3 || pairs.length === 0) return null
  const ordered = [...methods].sort((a, b) => (b[outcome].estimate ?? -1) - (a[outcome].estimate ?? -1))
  const labels = ordered.map(({ label }) => label)
  const better = claims.filter(({ kind }) => kind === 'better')
  const beats = (a: string, b: string) => better.some(({ of, than }) => of === a && than === b)
  const count = (isSo: (other: string) => boolean) => labels.filter(isSo).length
  const ranks = labels.map((label) => [
    label,
    [1 + count((other) => beats(other, label)), labels.length - count((other) => beats(label, other))],
  ])
  const best = labels[0] as string
  return {
    best,
    labels: labels.filter((label) => label === best || !beats(best, label)),
    ranks: Object.fromEntries(ranks),
  }
}
