const number = /^-?\d+(\.\d+)?$/

/** Typed records of rows, and what was wrong with the other rows. */
export function toRecords(rows, types) {
  const header = (rows[0] ?? []).map((name) => name.trim())
  const columns = Object.entries(types).map(([name, type]) => ({ name, type, at: header.indexOf(name) }))
  const missing = columns.find(({ at }) => at < 0)
  if (missing) throw new Error(`missing column: ${missing.name}`)

  const records = []
  const problems = []
  for (const [index, fields] of rows.slice(1).entries()) {
    const message = problemOf(fields, header, columns)
    if (message) problems.push({ row: index + 1, message })
    else records.push(Object.fromEntries(columns.map(({ name, type, at }) => [name, convert(fields[at], type)])))
  }
  return { records, problems }
}

function problemOf(fields, header, columns) {
  if (fields.length !== header.length) return `expected ${header.length} fields, found ${fields.length}`
  const bad = columns.find(({ type, at }) => type === 'number' && !isNumber(fields[at].trim()))
  return bad && `${bad.name}: not a number: "${fields[bad.at]}"`
}

const isNumber = (text) => text === '' || number.test(text)

function convert(text, type) {
  if (type === 'text') return text
  return text.trim() === '' ? null : Number(text)
}
