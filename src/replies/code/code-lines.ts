import type { LineRules } from './code-runs.ts'

const name = '[A-Za-z_]\\w*'
const dotted = `${name}(?:\\.${name})*`
const alias = `(?:\\s+as\\s+${name})?`
const comment = '\\s*(?:#.*)?$'

const pythonStatements = [
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
    if (pythonStatements.some((statement) => statement.test(line)) || assignment.test(line)) return true
    return oneLine.test(line) || (compound.test(line) && /^\s/.test(next))
  },
  isComment: (line) => line.startsWith('#'),
  opensBlock: (line) => /:\s*(?:#.*)?$/.test(line.slice(-200)),
  follow: () => followBrackets(pythonToken, { '"""': '"""', "'''": "'''" }, true),
}

const scriptName = '[A-Za-z_$][\\w$]*'
const scriptDotted = `${scriptName}(?:\\??\\.${scriptName})*`

const scriptStatements = [
  new RegExp(
    `^(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\b\\s*\\*?\\s*(?:${scriptName}\\s*)?[(<]`,
  ),
  new RegExp(`^(?:export\\s+)?(?:declare\\s+)?(?:const|let|var)\\s+(?:${scriptName}|[{[].*)`),
  new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:abstract\\s+)?class\\s+${scriptName}.*\\{`),
  new RegExp(
    `^(?:export\\s+)?(?:interface|enum)\\s+${scriptName}.*\\{|^(?:export\\s+)?type\\s+${scriptName}.*=`,
  ),
  /^import\s.*['"][;]?$|^import\s*\{$|^export\s*(?:\{|\*|default\b)/,
  /^['"]use strict['"];?$/,
  /^(?:if|for|while|switch)\s*(?:await\s*)?\(.*[{;)]$|^(?:try|do|else)\s*\{|^\}\s*(?:else|catch|finally|while)\b/,
  /^(?:return|throw)\b.*[;{([,)\]}\w'"`]$/,
  /^[)\]}]+[;,)]*$/,
  new RegExp(`^(?:this\\.|await\\s+|new\\s+)?${scriptDotted}\\(.*[)({[,]?;?$`),
  new RegExp(
    `^(?:this\\.)?${scriptDotted}(?:\\[[^\\]]*\\])*\\s*(?:[-+*/%&|^?]|\\*\\*|\\|\\||&&|\\?\\?)?=(?![=>])\\s*\\S`,
  ),
]

/** How lines of JavaScript and TypeScript are told from prose. */
export const scriptLines: LineRules = {
  isStatement: (whole) => {
    const line = whole.slice(0, 400).replace(/\s*\/\/.*$/, '')
    return (
      scriptStatements.some((statement) => statement.test(line)) &&
      !/^\w+\(.*\)\s+[a-z]/i.test(line.replace(/^function\b/, ''))
    )
  },
  isComment: (line) => line.startsWith('//') || line.startsWith('/*') || /^\*(?:\s|\/|$)/.test(line),
  opensBlock: () => true,
  follow: () => followBrackets(scriptToken, { '`': '`', '/*': '*/' }, false),
}

const pythonToken = /"""|'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[()[\]{}]/g
const scriptToken = /\/\/.*|\/\*|\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`|\\.|[()[\]{}]/g

/**
 * Returns whether a string, a comment or a bracket is open behind each line that it is given. `closers`: what closes what may span
 * lines. In Python an empty line ends the brackets of prose, and a backslash continues a line.
 */
function followBrackets(token: RegExp, closers: Readonly<Record<string, string>>, isPython: boolean) {
  let inside: string | undefined
  let depth = 0
  return (line: string): boolean => {
    if (isPython && inside === undefined && line.trim() === '') depth = 0
    for (const [found] of line.matchAll(token)) {
      if (inside !== undefined) inside = found === inside ? undefined : inside
      else if (closers[found] !== undefined) inside = closers[found]
      else if ('([{'.includes(found)) depth++
      else if (')]}'.includes(found)) depth = Math.max(0, depth - 1)
    }
    return inside !== undefined || depth > 0 || (isPython && line.endsWith('\\'))
  }
}
