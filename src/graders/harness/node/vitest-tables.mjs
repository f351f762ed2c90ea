// Tables of Vitest: `test.each`, `describe.for` and their names.
const { format } = process.getBuiltinModule('node:util')

/** Vitest takes the options of a test or block in the second place or in the third. */
export function sorted(name, second, third) {
  const options = [second, third].find((one) => typeof one === 'object' && one !== null) ?? {}
  const timeout = [second, third].find((one) => typeof one === 'number') ?? options.timeout
  return { name, work: [second, third].find((one) => typeof one === 'function'), ...options, timeout }
}

/** Adds `each` and `for`, whose rows come as one argument. */
export function withTables(add) {
  const named = (title, second, third) => add(title, second, third)
  named.each = (...table) => {
    const fill = (name, second, third) => {
      const { work, ...options } = sorted(name, second, third)
      rows(table).forEach((row, i) => {
        const args = Array.isArray(row) ? row : [row]
        add(titleOf(name, args, i), options, () => work(...args))
      })
    }
    return fill
  }
  named.for =
    (...table) =>
    (name, second, third) => {
      const { work, ...options } = sorted(name, second, third)
      rows(table).forEach((row, i) => {
        add(titleOf(name, Array.isArray(row) ? row : [row], i), options, (context) => work(row, context))
      })
    }
  return named
}

/** Returns the rows of a table: a list, or a text with `|` between the columns. */
function rows([first, ...values]) {
  if (!first?.raw) return [...first]
  const names = first[0]
    .trim()
    .split('|')
    .map((name) => name.trim())
  const count = Math.floor(values.length / names.length)
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(names.map((name, column) => [name, values[row * names.length + column]])),
  )
}

function titleOf(name, args, index) {
  const title = typeof name === 'function' ? name.name : `${name}`
  const [first] = args
  const filled = title
    .replaceAll(/%[#$]/g, (sign) => `${sign === '#' ? index : index + 1}`)
    .replaceAll(/\$([\w.]+)/g, (whole, path) => {
      const value = path.split('.').reduce((at, key) => at?.[key], Object(first))
      return value === undefined
        ? whole
        : `${typeof value === 'object' ? format('%j', value) : String(value)}`
    })
  const places = filled.match(/%[sdifjoOc]/g)?.length ?? 0
  return places > 0 ? format(filled, ...args.slice(0, places)) : filled
}
