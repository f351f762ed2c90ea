import { closest, distance } from 'fastest-levenshtein'

/**
 * The known word that was meant, if one is near: a third of the letters may differ, two where it begins alike, or all may stand
 * in another order.
 */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  if (word === '' || known.length === 0) return undefined
  const given = word.toLowerCase()
  const near = closest(given, known)
  const target = near.toLowerCase()
  const most = Math.max(given.slice(0, 2) === target.slice(0, 2) ? 2 : 1, given.length / 3)
  return distance(given, target) <= most || sorted(given) === sorted(target) ? near : undefined
}

const sorted = (word: string) => [...word].sort().join('')
