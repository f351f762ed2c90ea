import { closest, distance } from 'fastest-levenshtein'

/** Asks whether the known word nearest to `word` was meant, with `quote` around it; undefined where none is near. */
export function didYouMean(word: string, known: readonly string[], quote = ''): string | undefined {
  const near = nearWord(word, known)
  return near && `Did you mean ${quote}${near}${quote}?`
}

/** Near: a third of the letters differ, or two where the beginning is the same, or only their order differs. */
function nearWord(word: string, known: readonly string[]): string | undefined {
  if (word === '' || known.length === 0) return undefined
  const given = word.toLowerCase()
  const near = closest(given, known)
  const target = near.toLowerCase()
  const most = Math.max(given.slice(0, 2) === target.slice(0, 2) ? 2 : 1, given.length / 3)
  return distance(given, target) <= most || sorted(given) === sorted(target) ? near : undefined
}

const sorted = (word: string) => [...word].sort().join('')
