import type { GatheredRow } from './gather.ts'

/** Rows in their order, each with the method's label, and its agents where it ran with several sets of them. */
export function labelledRows(rows: readonly GatheredRow[], methods: readonly string[]) {
  const place = ({ method }: GatheredRow) =>
    methods.includes(method) ? methods.indexOf(method) : methods.length
  const name = ({ method, agents }: GatheredRow) => `${method}\n${agents}`
  return rows
    .toSorted((a, b) => place(a) - place(b) || (name(a) < name(b) ? -1 : 1))
    .map((row) => {
      const alone = rows.filter(({ method }) => method === row.method).length === 1
      return { ...row, label: alone ? row.method : `${row.method} (${row.agents})` }
    })
}
