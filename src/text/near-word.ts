import { closest, distance } from 'fastest-levenshtein'

/** Returns `Did you mean …?` with the known word nearest to `word`, in quotes of `quote`; undefined if none is near. */
export function didYouMean(word: string, known: readonly string[], quote = ''): string | undefined {
  const near = nearWord(word, known)
  return near && `Did you mean ${quote}${near}${quote}?`
}

/** Returns a remedy that begins with the known word nearest to `word`, if one is near: `Did you mean live? Write dev or live.` */
export function withNear(word: string, known: readonly string[], remedy: string): string {
  const near = didYouMean(word, known)
  return near ? `${near} ${remedy}` : remedy
}

/**
 * Returns the nearest known word if it is near: at most a third of its letters differ, or two if the words begin alike, or only the
 * order of the letters.
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
