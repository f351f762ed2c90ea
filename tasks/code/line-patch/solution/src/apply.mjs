import { PatchError } from './error.mjs'

const header = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/

/** The text with a patch applied. */
export function applyPatch(text, patch) {
  const lines = text.split('\n')
  const result = []
  let next = 0 // index of the first line that is not copied yet
  for (const { before, body } of parse(patch)) {
    const start = before.count === 0 ? before.start : before.start - 1
    result.push(...lines.slice(next, start))
    next = start
    for (const { mark, line } of body) {
      if (mark !== '+') {
        if (lines[next] !== line) throw new PatchError(next + 1)
        next += 1
      }
      if (mark !== '-') result.push(line)
    }
  }
  return [...result, ...lines.slice(next)].join('\n')
}

/** The patch that undoes a patch. */
export function reversePatch(patch) {
  return parse(patch)
    .map(({ before, after, body }) => {
      const head = `@@ -${after.start},${after.count} +${before.start},${before.count} @@\n`
      return head + reverseBody(body)
    })
    .join('')
}

function reverseBody(body) {
  let text = ''
  let inserts = ''
  for (const { mark, line } of body) {
    if (mark === '-') inserts += `+${line}\n`
    else if (mark === '+') text += `-${line}\n`
    else {
      text += `${inserts} ${line}\n`
      inserts = ''
    }
  }
  return text + inserts
}

function parse(patch) {
  if (patch === '') return []
  if (!patch.endsWith('\n')) throw new SyntaxError('a patch ends with a line end')
  const hunks = []
  for (const line of patch.slice(0, -1).split('\n')) {
    const match = header.exec(line)
    if (match) {
      const [a, b, c, d] = match.slice(1).map(Number)
      hunks.push({ before: { start: a, count: b }, after: { start: c, count: d }, body: [] })
    } else {
      const mark = line.charAt(0)
      if (hunks.length === 0 || mark === '' || !' -+'.includes(mark)) throw new SyntaxError(`unexpected line: ${line}`)
      hunks.at(-1).body.push({ mark, line: line.slice(1) })
    }
  }
  for (const { before, after, body } of hunks) {
    const held = (other) => body.filter(({ mark }) => mark !== other).length
    if (held('+') !== before.count || held('-') !== after.count) throw new SyntaxError('counts differ from the lines')
  }
  return hunks
}
