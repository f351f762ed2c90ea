/** One `>>>` example of a docstring. */
export interface PythonExample {
  source: string
  /** Expected output; empty if the source itself is the claim (`>>> f(1) == 2`) or prints nothing. */
  want: string
}

/**
 * Returns the examples in Python source. Common mistakes with a clear meaning are corrected: `>>> f(1) 2` on one line
 * expects 2. An example that is neither a call nor a comparison, or with unclosed brackets, is skipped.
 */
export function pythonExamples(text: string): PythonExample[] {
  const examples: PythonExample[] = []
  let open: { source: string[]; want: string[] } | undefined
  const close = () => {
    const example = open && readExample(open.source.join('\n'), open.want.join('\n'))
    if (example) examples.push(example)
    open = undefined
  }
  for (const line of text.split(/\r?\n/)) {
    const bare = line.trim()
    if (bare.startsWith('>>>')) {
      close()
      open = { source: [bare.slice(3).trim()], want: [] }
    } else if (bare === '' || /^("""|''')/.test(bare)) close()
    else if (open && open.want.length === 0 && /^\.\.\.( |$)/.test(bare)) open.source.push(bare.slice(4))
    else open?.want.push(bare.replace(/("""|''')$/, ''))
  }
  close()
  return examples
}

/** Formats examples for Python's doctest. */
export function formatExamples(examples: readonly PythonExample[]): string {
  const blocks = examples.map(({ source, want }) => {
    const lines = source.split('\n').map((line, i) => `${i === 0 ? '>>>' : '...'} ${line}`)
    return [...lines, ...(want === '' ? [] : [want])].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}

function readExample(source: string, want: string): PythonExample | undefined {
  const end = endOfBrackets(source)
  if (end === undefined || source === '') return undefined
  const rest = source.slice(end).trim()
  // Text after a call that is not an operator is the expected value, written on the same line.
  if (
    want === '' &&
    end > 0 &&
    rest !== '' &&
    !/^(?:[-+*/%@&|^<>=!.,#)\]}]|(?:in|is|not|and|or|if|for)\b)/.test(rest)
  ) {
    return { source: source.slice(0, end), want: rest.replace(/^(?:->|=>|➞|→|returns)\s*/, '') }
  }
  return { source, want }
}

/** Returns the index after the first call's closing bracket, 0 without a call; undefined if brackets or quotes are unclosed. */
export function endOfBrackets(source: string): number | undefined {
  let depth = 0
  let end = 0
  let quote = ''
  for (let i = 0; i < source.length; i++) {
    const char = source[i] as string
    if (quote) {
      if (char === '\\') i++
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '#') i = source.indexOf('\n', i) === -1 ? source.length : source.indexOf('\n', i)
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char) && --depth === 0 && end === 0) end = i + 1
    if (depth < 0) return undefined
  }
  return depth === 0 && quote === '' ? end : undefined
}
