/** The lines of two texts as kept, deleted and inserted ones; as many as possible are kept. */
export function diffLines(before, after) {
  const old = before.split('\n')
  const now = after.split('\n')
  const common = commonLengths(old, now)
  const result = []
  let inserts = []
  let i = 0
  let j = 0
  for (let step = old.length + now.length; step > 0; step--) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      result.push(...inserts, { type: 'keep', line: old[i] })
      inserts = []
      i += 1
      j += 1
    } else if (i < old.length && (j === now.length || common[i + 1][j] >= common[i][j + 1])) {
      result.push({ type: 'delete', line: old[i] })
      i += 1
    } else if (j < now.length) {
      inserts.push({ type: 'insert', line: now[j] })
      j += 1
    }
  }
  return [...result, ...inserts]
}

/** At [i][j]: how many lines the rest of `old` from i and the rest of `now` from j have in common, in order. */
function commonLengths(old, now) {
  const table = Array.from({ length: old.length + 1 }, () => new Array(now.length + 1).fill(0))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      table[i][j] = old[i] === now[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1])
    }
  }
  return table
}
