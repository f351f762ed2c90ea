import type { LineRules } from '../code-runs.ts'

const name = '[A-Za-z_]\\w*'
const dotted = `${name}(?:\\.${name})*`
const alias = `(?:\\s+as\\s+${name})?`
const comment = '\\s*(?:#.*)?$'

const statements = [
  new RegExp(`^(?:async\\s+)?def\\s+${name}\\s*\\(`),
  new RegExp(`^class\\s+${name}\\s*(?:\\(.*\\))?\\s*:`),
  new RegExp(`^@${dotted}(?:\\(.*)?$`),
  new RegExp(`^import\\s+${dotted}${alias}(?:\\s*,\\s*${dotted}${alias})*[\\s;]*(?:#.*)?$`),
  new RegExp(
    `^from\\s+\\.*(?:${dotted})?\\s+import\\s+(?:\\(.*|\\*|${name}${alias}(?:\\s*,\\s*${name}${alias})*,?)${comment}`,
  ),
  /^(?:return|yield|raise|assert|del|global|nonlocal)(?:$|[ \t([{"'].*$)/,
  /^(?:pass|break|continue|\.\.\.)\s*(?:#.*)?$/,
  /^[rbfu]{0,2}(?:"""|''')/i,
  /^[)\]}][)\]},.:]*\s*(?:#.*)?$/,
  // A call, whole or with its bracket left open.
  new RegExp(`^(?:await\\s+)?${dotted}\\(.*[)\\]}(\\[{,]${comment}`),
]
const target = `${dotted}(?:\\[[^\\]]*\\])*`
const assignment = new RegExp(
  `^\\*?${target}(?:\\s*,\\s*\\*?${target})*\\s*(?::\\s*[\\w.]+(?:\\[.*?\\])?)?\\s*(?:[-+*/%&|^@]|//|\\*\\*|<<|>>)?=(?!=)\\s*\\S`,
)
const compound =
  /^(?:if|elif|while|for|with|try|except|finally|else|match|async (?:for|with))\b.*:\s*(?:#.*)?$/
const oneLine =
  /^(?:if|while|for|with|try|except|finally|else)\b.*:\s*(?:return|yield|raise|pass|break|continue|print\()/

/** How lines of Python are told from prose. */
export const pythonLines: LineRules = {
  isStatement: (whole, next) => {
    // Prose that looks like code is short; code of one long line is data.
    const line = whole.slice(0, 400)
    if (statements.some((statement) => statement.test(line)) || assignment.test(line)) return true
    return oneLine.test(line) || (compound.test(line) && /^\s/.test(next))
  },
  isComment: (line) => line.startsWith('#'),
  opensBlock: (line) => /:\s*(?:#.*)?$/.test(line.slice(-200)),
  follow: followPython,
}

const token = /"""|'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[()[\]{}]/g

/** Returns whether a long string or a bracket is open behind each line that it is given. */
function followPython(): (line: string) => boolean {
  let quotes: string | undefined
  let depth = 0
  return (line) => {
    if (quotes === undefined && depth > 0 && line.trim() === '') depth = 0
    for (const [found] of line.matchAll(token)) {
      if (quotes !== undefined) quotes = found === quotes ? undefined : quotes
      else if (found === '"""' || found === "'''") quotes = found
      else if ('([{'.includes(found)) depth++
      else if (')]}'.includes(found)) depth = Math.max(0, depth - 1)
    }
    return quotes !== undefined || depth > 0 || line.endsWith('\\')
  }
}
