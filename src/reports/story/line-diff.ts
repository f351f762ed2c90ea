import { type ChangeObject, diffArrays } from 'diff'

/** A changed line. */
interface LineChange {
  sign: '+' | '-'
  text: string
}

/** With more changed lines than this the whole text counts as replaced, because the time grows with their square. */
const mostEdits = 2000

/** Returns the removed and added lines between two texts, in order and as few as possible. */
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
