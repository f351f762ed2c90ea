import { type Edit, numberEdits, swapAt } from './script-edits.ts'

const literals =
  /#[^\n]*|[rbuf]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/gi

/** Returns a source, character for character, with quotes for its texts, blanks for its comments, and each statement on one line. */
function outlineOf(source: string): string {
  const code = source.replace(literals, (found) => (found.startsWith('#') ? ' ' : '"').repeat(found.length))
  let depth = 0
  return code.replace(/[([{]|[)\]}]|\\\n|\n/g, (found) => {
    if ('([{'.includes(found)) depth++
    if (')]}'.includes(found)) depth = Math.max(0, depth - 1)
    return found.endsWith('\n') && (depth > 0 || found.length > 1) ? ' '.repeat(found.length) : found
  })
}

/** One argument of a call by position, with brackets at most two deep. */
const argument =
  '(?! *\\*)(?:[^()[\\]{},=:\\n]|\\((?:[^()\\n]|\\([^()\\n]*\\))*\\)|\\[(?:[^[\\]\\n]|\\[[^[\\]\\n]*\\])*\\])+'
const called =
  '(?<![\\w@]|\\b(?:def|class) )(?!(?:if|elif|while|not|and|or|in|is|return|lambda)\\b)[A-Za-z_]\\w*'
const kept =
  'def|class|import|from|if|elif|else|for|while|with|try|except|finally|async|return|global|nonlocal|pass|match|case'

/** What operators change in an outline: a pattern, and what stands in its place. Groups one to three are parts of the found text. */
const patterns: readonly (readonly [operator: string, RegExp, (text: string, parts: string[]) => string])[] =
  [
    ['negation', /(?<!\bis )\bnot (?!in\b)/g, () => ''],
    ['negation', /(?<=^[ \t]*(?:el)?if\b).+(?=:[ \t]*$)/gm, (test) => ` not (${test.trimStart()})`],
    ['return value', /(?<=^[ \t]*return )(?!None\b)[^;\n]*[^;\s]/gm, () => 'None'],
    [
      'dropped statement',
      new RegExp(`(?<=^[ \\t]*)(?!(?:${kept})\\b)[A-Za-z_].*[^\\s:]`, 'gm'),
      () => 'pass',
    ],
    [
      'swapped arguments',
      new RegExp(`(?<=${called}\\()(${argument})(, *)(${argument})(?=[,)])`, 'g'),
      (_, [first, comma, second]) => `${second}${comma}${first}`,
    ],
    ['dropped call', new RegExp(`(?<!\\.)${called}(?=\\(${argument}\\))`, 'g'), () => ''],
  ]

/** Returns the edits of the numbers, operators and truth values of Python or JSON. Spaces tell operators from signs and stars. */
export function valueEdits(source: string): Edit[] {
  const outline = outlineOf(source)
  const words = /(?<= )[-+*/%<>!=]{1,2}(?= )|(?<![\w.])(?:and|or|[Tt]rue|[Ff]alse)\b/g
  const numbers = /(?<![\w.])\d{1,15}(?![\w.])/g
  return [
    ...[...outline.matchAll(words)].flatMap(({ 0: text, index }) => swapAt(text, index)),
    ...[...outline.matchAll(numbers)].flatMap(({ 0: text, index }) => numberEdits(text, index)),
  ]
}

/** Returns the edits of Python. */
export function pythonEdits(source: string): Edit[] {
  const outline = outlineOf(source)
  const edits = patterns.flatMap(([operator, pattern, other]) =>
    [...outline.matchAll(pattern)].map(({ 0: found, index: start, ...groups }) => {
      const end = start + found.length
      let at = start
      const parts = [groups[1], groups[2], groups[3]].map((part = '') => {
        at += part.length
        return source.slice(at - part.length, at)
      })
      return { operator, start, end, text: other(source.slice(start, end), parts) }
    }),
  )
  return [...valueEdits(source), ...edits].filter(({ start, end, text }) => source.slice(start, end) !== text)
}
