/** One `>>>` example of a docstring. */
interface PythonExample {
  source: string
  /** Wanted output; empty where the source itself is the claim (`>>> f(1) == 2`) or nothing is printed. */
  want: string
}

/**
 * The examples in Python source, with the mistakes that people make in them put right where the meaning is plain:
 * `>>> f(1) 2` on one line wants 2. An example that is neither a call nor a comparison, or whose brackets do not
 * close, is left out.
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

/** The same examples in the form that Python's doctest reads. */
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
  // A call with something behind it that is no operator: the wanted value, written on the same line.
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

/** Index behind the first call's closing bracket, 0 where there is no call; undefined where brackets or quotes stay open. */
function endOfBrackets(source: string): number | undefined {
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
