/** Rows of a CSV text, each an array of strings. */
export function parseCsv(text) {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const rows = []
  let row = []
  let field = ''
  let state = 'start' // of a field; then 'plain' or 'quoted'; 'closed' after a closing quote

  const endField = () => {
    row.push(field)
    field = ''
    state = 'start'
  }
  const endRow = () => {
    const blank = row.length === 0 && state === 'start'
    endField()
    if (!blank) rows.push(row)
    row = []
  }

  for (let i = 0; i < source.length; i++) {
    const char = source[i]
    const next = source[i + 1]
    if (state === 'quoted') {
      if (char !== '"') field += char
      else if (next === '"') {
        field += '"'
        i += 1
      } else state = 'closed'
    } else if (char === ',') endField()
    else if (char === '\n') endRow()
    else if (char === '\r' && next === '\n') continue
    else if (state === 'closed') throw new SyntaxError(`unexpected ${JSON.stringify(char)} after a closing quote`)
    else if (char === '"' && state === 'start') state = 'quoted'
    else {
      field += char
      state = 'plain'
    }
  }
  if (state === 'quoted') throw new SyntaxError('a quote never closes')
  endRow()
  return rows
}
