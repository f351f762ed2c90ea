/** With more changed lines than this the whole text counts as replaced, because the time grows with their square. */
const mostEdits = 2000
/** Equal lines around a change. */
const around = 3

const linesOf = (text) => (text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/**
 * Returns the lines of two texts with the sign of each: `-` only in the first, `+` only in the second, a space in both, `~` for
 * equal lines that are left out. As few lines as possible differ (Myers 1986).
 */
export function diffLines(before, after) {
  const [a, b] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const middle = editsOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  const same = (texts) => texts.map((text) => [' ', text])
  return withoutFar([...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))])
}

/** Returns the lines with their signs. `steps[d]` holds how far in `a` each diagonal comes with `d` edits. */
function editsOf(a, b) {
  const steps = []
  for (let edits = 0; edits <= Math.min(mostEdits, a.length + b.length); edits++) {
    const before = steps.at(-1)
    const ends = new Int32Array(edits + 1)
    for (let i = 0; i <= edits; i++) {
      const k = 2 * i - edits
      let x = edits === 0 ? 0 : isDown(before, i, edits) ? before[i] : before[i - 1] + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      ends[i] = x
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, steps)
    }
    steps.push(ends)
  }
  return [...a.map((text) => ['-', text]), ...b.map((text) => ['+', text])]
}

const isDown = (before, i, edits) => i === 0 || (i !== edits && before[i - 1] < before[i])

function walkBack(a, b, steps) {
  const result = []
  let [x, y] = [a.length, b.length]
  for (let edits = steps.length; edits > 0; edits--) {
    const before = steps[edits - 1]
    const i = (x - y + edits) / 2
    const down = isDown(before, i, edits)
    const start = down ? before[i] : before[i - 1]
    const diagonal = down ? x - y + 1 : x - y - 1
    while (x > (down ? start : start + 1)) result.push([' ', a[--x]])
    x = start
    y = start - diagonal
    result.push(down ? ['+', b[y]] : ['-', a[x]])
  }
  while (x > 0) result.push([' ', a[--x]])
  return result.reverse()
}

/** Puts a mark in the place of equal lines far from every change. */
function withoutFar(lines) {
  const near = new Set()
  lines.forEach(([sign], at) => {
    if (sign !== ' ') for (let i = at - around; i <= at + around; i++) near.add(i)
  })
  const result = []
  for (let at = 0; at < lines.length; ) {
    let end = at
    while (end < lines.length && !near.has(end)) end++
    if (end - at > 1) result.push(['~', `${end - at} equal lines`])
    else if (end > at) result.push(lines[at])
    if (end > at) at = end
    else result.push(lines[at++])
  }
  return result
}
