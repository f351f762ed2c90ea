/** Column and row, from 0, of a reference such as `B7`; null for anything else. */
export function parseRef(text) {
  const match = /^([A-Z]{1,3})([1-9]\d*)$/i.exec(text)
  if (!match) return null
  const column = [...match[1].toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { column, row: Number(match[2]) - 1 }
}

/** The reference of a column and row. */
export function formatRef({ column, row }) {
  return `${letters(column)}${row + 1}`
}

function letters(column) {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

/** All references of the rectangle between two corners, row by row. */
export function expandRange(from, to) {
  const a = parseRef(from)
  const b = parseRef(to)
  const refs = []
  for (let row = Math.min(a.row, b.row); row <= Math.max(a.row, b.row); row++) {
    for (let column = Math.min(a.column, b.column); column <= Math.max(a.column, b.column); column++) {
      refs.push(formatRef({ column, row }))
    }
  }
  return refs
}
