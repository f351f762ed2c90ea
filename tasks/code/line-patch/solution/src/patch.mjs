import { diffLines } from './diff.mjs'

const marks = { keep: ' ', delete: '-', insert: '+' }

/** A patch that turns one text into the other. */
export function createPatch(before, after, context = 3) {
  if (!Number.isInteger(context) || context < 0) throw new RangeError('context is an integer of at least 0')
  const lines = diffLines(before, after)
  return hunks(lines, context)
    .map(({ from, to }) => print(lines, from, to))
    .join('')
}

/** Stretches of lines, `to` excluded, around changes that are close to each other. */
function hunks(lines, context) {
  const found = []
  for (const [index, { type }] of lines.entries()) {
    if (type === 'keep') continue
    const from = Math.max(0, index - context)
    const to = Math.min(lines.length, index + context + 1)
    const last = found.at(-1)
    if (last && from <= last.to) last.to = to
    else found.push({ from, to })
  }
  return found
}

function print(lines, from, to) {
  const earlier = lines.slice(0, from)
  const shown = lines.slice(from, to)
  const range = (other) => {
    const count = shown.filter(({ type }) => type !== other).length
    const start = earlier.filter(({ type }) => type !== other).length
    return `${count === 0 ? start : start + 1},${count}`
  }
  const body = shown.map(({ type, line }) => `${marks[type]}${line}\n`).join('')
  return `@@ -${range('insert')} +${range('delete')} @@\n${body}`
}
