import { type ChangeObject, diffArrays } from 'diff'

/** One line of a difference: kept lines are left out. */
interface LineChange {
  sign: '+' | '-'
  text: string
}

/** Texts with more differing lines than this count as replaced whole, since time grows with the square. */
const mostEdits = 2000

/** Lines removed and added between two texts, in order and as few as possible. */
export function lineDiff(before: string | null, after: string | null): LineChange[] {
  const old = linesOf(before)
  const now = linesOf(after)
  const parts = diffArrays(old, now, { maxEditLength: mostEdits }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ]
  return parts.flatMap(changesOf)
}

const changesOf = ({ added, removed, value }: Pick<ChangeObject<string[]>, 'added' | 'removed' | 'value'>) =>
  added || removed ? value.map((text): LineChange => ({ sign: added ? '+' : '-', text })) : []

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
