/** Count and total per group. */
export function summarise(records, { by, sum }) {
  const groups = new Map()
  for (const record of records) {
    const group = groups.get(record[by]) ?? { key: record[by], count: 0, total: 0 }
    group.count += 1
    group.total += record[sum] ?? 0
    groups.set(group.key, group)
  }
  return [...groups.values()]
    .map((group) => ({ ...group, total: Math.round(group.total * 100) / 100 }))
    .sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1))
}
