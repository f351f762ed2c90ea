import type { Files } from '../../schema/task.ts'

const gap = '…'

/** What pytest, Jest, Vitest and node:test print before a line of source: a mark, a number, a bar. */
const frame = /^\s*(?:>\s*)?\d+\s*\||^\s*>\s/
const position = / \([^()]*:\d+(?::\d+)?\)$/
const marks = /^[\s|]*[~^][~^\s]*$/
/** After this, node:assert prints the expression of the test. */
const beforeExpression = 'expression evaluated to a falsy value:'

/**
 * Returns a function that removes source lines of hidden tests from what a test printed or threw. Values, names of tests and positions
 * stay, since a reader needs them to understand a failure. A line that is no code by itself (a quoted text, a number) is a value.
 */
export function sourceHider(tests: Files): (text: string) => string {
  const sources = Object.values(tests).map((source) => source.split('\n').map(bare))
  const known = new Set(sources.flat())
  const whole = sources.map((lines) => lines.join('\n')).join('\n')
  return (text) => hideLines(text, known, (part) => whole.includes(part))
}

function hideLines(text: string, known: ReadonlySet<string>, isPart: (text: string) => boolean): string {
  const shown: string[] = []
  let last: 'shown' | 'hidden' | 'expression' = 'shown'
  for (const line of text.split('\n')) {
    const place = position.exec(line)?.[0] ?? ''
    const content = bare(line.slice(0, line.length - place.length).replace(frame, ''))
    const isExpression: boolean = last === 'expression' && content !== '' && isPart(content)
    // A statement may go on in lines that look like values.
    const isSource: boolean =
      known.has(content) && (isCode(content) || frame.test(line) || (last === 'hidden' && content !== ''))
    const isHidden: boolean = isExpression || isSource || (last !== 'shown' && marks.test(line))
    if (!isHidden) shown.push(line)
    else if (place !== '' || shown.at(-1)?.trim() !== gap) shown.push(`  ${gap}${place}`)
    const begins: boolean = !isHidden && line.includes(beforeExpression)
    last = begins || isExpression ? 'expression' : isHidden ? 'hidden' : 'shown'
  }
  return shown.join('\n')
}

/** Printed lines are indented otherwise, and without types they have other spaces. */
const bare = (line: string) => line.replace(/\s+/g, '')

/** Whether a line, without spaces, is a statement or a part of one rather than a value. */
const isCode = (line: string) => /^[\p{L}_$@(.]/u.test(line) && /[(=]|^assert/.test(line)
