/** How a language's lines of code are told from prose. */
export interface LineRules {
  /** Whether a line, trimmed, reads as the begin of a statement. `next` is the next line that is not blank. */
  isStatement: (line: string, next: string) => boolean
  /** Whether a line, trimmed, is a comment, which may stand in code or, as a heading, in prose. */
  isComment: (line: string) => boolean
  /** Whether the lines that are indented below a statement belong to it. */
  opensBlock: (line: string) => boolean
  /** Whether a statement goes on at a line that is not indented, such as in a long string or in brackets. */
  follow: () => (line: string) => boolean
}

/** Lines of a reply that read as code. */
interface CodeRun {
  /** The first line, and the line behind the last. */
  begin: number
  end: number
}

/** Finds the runs of lines that read as code, without the prose between them, in one pass. Undefined lines divide runs. */
export function findCodeRuns(lines: readonly (string | undefined)[], rules: LineRules): CodeRun[] {
  const runs: CodeRun[] = []
  let run: Open | undefined
  const close = () => {
    if (run && run.end > run.begin && run.hasCode) runs.push({ begin: run.begin, end: run.end })
    run = undefined
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined) {
      close()
      continue
    }
    const trimmed = line.trim()
    if (run?.isOpen && !(trimmed !== '' && surelyProse.test(line))) {
      run.isOpen = run.feed(line)
      run.end = at + 1
      continue
    }
    if (trimmed === '') continue
    const indent = line.length - line.trimStart().length
    if (run && indent > run.indent && run.opensBlock) {
      run.isOpen = run.feed(line)
      run.end = at + 1
      continue
    }
    const isComment = rules.isComment(trimmed)
    if (!isComment && !rules.isStatement(trimmed, nextLine(lines, at))) {
      close()
      continue
    }
    // The first line of a trimmed reply has lost its indentation.
    const isTrimmed = run !== undefined && run.begin === 0 && run.isFirst && indent > run.indent
    if (run && indent !== run.indent && !isTrimmed) close()
    run ??= {
      begin: at,
      end: at,
      indent,
      isOpen: false,
      opensBlock: false,
      hasCode: false,
      isFirst: true,
      feed: rules.follow(),
    }
    if (isTrimmed) run.indent = indent
    run.isFirst = run.begin === at
    if (isComment) continue
    run.hasCode = true
    run.isOpen = run.feed(line)
    run.opensBlock = rules.opensBlock(trimmed) || run.isOpen
    run.end = at + 1
  }
  close()
  return runs
}

interface Open extends CodeRun {
  indent: number
  /** Whether a string or a bracket is open behind the last line. */
  isOpen: boolean
  opensBlock: boolean
  hasCode: boolean
  isFirst: boolean
  feed: (line: string) => boolean
}

// A bracket or string that is never closed must not take the prose behind it.
const surelyProse = /^(?:#{2,6} |\*\*[A-Z]|(?:This|The|Here|Note|In|It|You|Explanation|Example)\b[^=(]*[.:]$)/

function nextLine(lines: readonly (string | undefined)[], at: number): string {
  // Prose may have many blank lines; a body follows soon.
  for (let i = at + 1; i < Math.min(lines.length, at + 20); i++) {
    const line = lines[i]
    if (line === undefined) return ''
    if (line.trim() !== '') return line
  }
  return ''
}
