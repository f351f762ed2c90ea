/** A line that names a file: `FILE: path` or `DELETE: path`. */
export interface FileHeading {
  verb: 'FILE' | 'DELETE'
  /** The path, without marks of Markdown, quotes, a final colon, a number and a remark. */
  written: string
  /** The path with its remark and number, where it has one: a file may have such a name. */
  remarked?: string
}

const heading =
  /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?(?:#{1,6}[ \t]+)?([*_`"']{0,6})(FILE|DELETE)([*_`"']{0,4})[:：](.*)$/

/** Reads a heading, behind the marks of lists, quotes and headings; undefined for any other line. */
export function readHeading(line: string): FileHeading | undefined {
  if (!line.includes('FILE') && !line.includes('DELETE')) return undefined
  const [, before = '', verb, , rest = ''] = heading.exec(line) ?? []
  if (verb === undefined) return undefined
  const name = readName(before.startsWith('_') ? rest.trim().replace(/_+$/, '') : rest)
  return name.written === '' ? undefined : { verb: verb as FileHeading['verb'], ...name }
}

/** Reads the path of a heading, behind its `FILE:`. */
export function readName(rest: string): Pick<FileHeading, 'written' | 'remarked'> {
  const written = withoutMarks(rest, withoutRemark)
  const remarked = rest.length > longestHeading ? written : withoutMarks(rest, (path) => path)
  return remarked === written ? { written } : { written, remarked }
}

const pairs: Readonly<Record<string, string>> = { '`': '`', '"': '"', "'": "'", '“': '”', '‘': '’', '<': '>' }

/** Takes off emphasis, code ticks, quotes, a final colon and a remark, one after another until none is left. */
function withoutMarks(rest: string, cutRemark: (path: string) => string): string {
  let path = rest.trim()
  // Each round takes something off, and no path has more marks around it.
  for (let round = 0; round < 12; round++) {
    const before = path
    path = path.replace(/^(?:\*{1,3}|_{2,3}(?!.*__))/, '').trim()
    path = withoutLink(
      path.replace(/(?:\*{1,3}|(?<![\w_])_{2,3}|:|(?<=\.\w{1,10}[`"*]{0,3})[.,;])$/, '').trim(),
    )
    path = cutRemark(path)
    const close = pairs[path[0] ?? '']
    if (close !== undefined && path.length > 1 && path.endsWith(close)) path = path.slice(1, -1).trim()
    else path = withoutLoneMark(path)
    if (path === before) return path
  }
  return path
}

/** Takes off a code tick or a quote on one side of a path, whose partner was left out. */
function withoutLoneMark(path: string): string {
  for (const mark of ['`', '"']) {
    if (path.startsWith(mark) && path.lastIndexOf(mark) === 0) return path.slice(1).trim()
    if (path.endsWith(mark) && path.indexOf(mark) === path.length - 1) return path.slice(0, -1).trim()
  }
  return path
}

// A longer text is no path with a remark.
const longestHeading = 400
const change = '(?:new|added|created|updated|modified|changed|edited|rewritten)'
/** The end of a path that surely ends there: it has an extension, or a mark behind it. */
const pathEnd = '(?<=^(?:\\S*\\.[A-Za-z]\\w{0,9}[`"*]{0,3}|\\S+[`"*]))'
/** What may stand before or behind a path. */
const remarks = [
  /^(?:path|file|filename|name)[ \t]*:[ \t]+(?=\S)/i,
  /^(?:\d{1,3}[.)]|\(\d{1,3}\)|#\d{1,3}:?)[ \t]+(?=\S+$)/,
  new RegExp(`[ \\t]+\\((?:${change}(?: file)?|unchanged)\\)$`, 'i'),
  /(?<=^\S+)[ \t]+(?:#|\/\/)[ \t].*$/,
  new RegExp(`(?<=^\\S+)[ \\t]+[-–—][ \\t](?:a )?${change}(?: file)?$`, 'i'),
  /(?<=\.\w{1,10}[`"*]{0,3}):\d{1,6}(?:[-–:]\d{1,6})?$/,
  /[ \t]*(?:\p{Extended_Pictographic}\uFE0F?[ \t]*)+$/u,
  /[ \t]*（[^（）]*）$/,
  new RegExp(`${pathEnd}[ \\t]+(?:\\([^()]*[A-Za-z][^()]*\\)|<!--.*-->)$`),
  new RegExp(`${pathEnd}(?:[ \\t]+\\[[^\\]]*[A-Za-z][^\\]]*\\]|,?[ \\t]+${change})$`, 'i'),
]
const link = /^\[([^\]]+)\]\((?:\.\/)?([^)]+)\)$/
const dashed = new RegExp(`${pathEnd}[ \\t]+[-–—→|][ \\t].*$`)

function withoutLink(path: string): string {
  const [, text, target] = (path.length <= longestHeading && link.exec(path)) || []
  return text !== undefined && text.replaceAll('`', '') === target ? target : path
}

/** Takes off `path:`, a number, and a remark behind the path: `(new version)`, `# text`, `- text`. */
function withoutRemark(path: string): string {
  if (path.length > longestHeading) return path
  const plain = remarks.reduce((rest, remark) => rest.replace(remark, ''), path)
  // A name such as `a.b - c.txt` may hold a dash.
  return /[ \t][-–—→][ \t]+\S*\.\w{1,10}[`"*]*$/.test(plain) ? plain : plain.replace(dashed, '')
}
