// What the pages of studies share.

/** Returns p-values after Holm's correction over all of them, in their order. */
export function holm(values) {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b])
  const adjusted = []
  let least = 0
  for (const [place, at] of order.entries()) {
    least = Math.max(least, Math.min(1, (values.length - place) * values[at]))
    adjusted[at] = least
  }
  return adjusted
}

/** A share as points with its sign: `+5.5`. */
export const points = (share) =>
  `${share < 0 && Math.abs(share) >= 0.0005 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`

/** A difference with its limits in points: `+5.5 [+1.4, +10.1]`. */
export const difference = ({ estimate, lower, upper }) =>
  `${points(estimate)} [${points(lower)}, ${points(upper)}]`

/** A table in Markdown, its first column of text and the others of numbers. */
export function markdownTable(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(heads), line([':---', ...heads.slice(1).map(() => '---:')]), ...rows.map(line)].join('\n')
}

/** Replaces what stands between `<!-- NAME -->` and `<!-- end -->` in the text of a page. */
export function replaceTables(page, text, tables) {
  return Object.entries(tables).reduce((all, [name, table]) => {
    const [before, rest] = all.split(`<!-- ${name} -->\n`)
    if (rest === undefined) throw new Error(`${page} has no place for the table ${name}`)
    return `${before}<!-- ${name} -->\n${table}\n${rest.slice(rest.indexOf('<!-- end -->'))}`
  }, text)
}
