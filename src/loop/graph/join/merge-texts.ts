import { diff3Merge } from 'node-diff3'

/**
 * Merges two changes of one text line by line; undefined stands for a file that does not exist. Returns undefined where the
 * changes overlap, and where one side deleted what the other changed.
 */
export function mergeTexts(
  base: string | undefined,
  one: string | undefined,
  other: string | undefined,
): string | undefined {
  if (one === base) return other
  if (other === base) return one
  if (one === undefined || other === undefined) return undefined
  const lines = (text: string) => text.split('\n')
  const regions = diff3Merge(lines(one), lines(base ?? ''), lines(other))
  if (regions.some(({ conflict }) => conflict)) return undefined
  return regions.flatMap(({ ok }) => ok ?? []).join('\n')
}
