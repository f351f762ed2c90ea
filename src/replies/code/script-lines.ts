import type { LineRules } from './code-runs.ts'

const name = '[A-Za-z_$][\\w$]*'
const dotted = `${name}(?:\\??\\.${name})*`

const statements = [
  new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\b\\s*\\*?\\s*(?:${name}\\s*)?[(<]`),
  new RegExp(`^(?:export\\s+)?(?:declare\\s+)?(?:const|let|var)\\s+(?:${name}|[{[].*)`),
  new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:abstract\\s+)?class\\s+${name}.*\\{`),
  new RegExp(`^(?:export\\s+)?(?:interface|enum)\\s+${name}.*\\{|^(?:export\\s+)?type\\s+${name}.*=`),
  /^import\s.*['"][;]?$|^import\s*\{$|^export\s*(?:\{|\*|default\b)/,
  /^['"]use strict['"];?$/,
  /^(?:if|for|while|switch)\s*(?:await\s*)?\(.*[{;)]$|^(?:try|do|else)\s*\{|^\}\s*(?:else|catch|finally|while)\b/,
  /^(?:return|throw)\b.*[;{([,)\]}\w'"`]$/,
  /^[)\]}]+[;,)]*$/,
  new RegExp(`^(?:this\\.|await\\s+|new\\s+)?${dotted}\\(.*[)({[,]?;?$`),
  new RegExp(
    `^(?:this\\.)?${dotted}(?:\\[[^\\]]*\\])*\\s*(?:[-+*/%&|^?]|\\*\\*|\\|\\||&&|\\?\\?)?=(?![=>])\\s*\\S`,
  ),
]

/** How lines of JavaScript and TypeScript are told from prose. */
export const scriptLines: LineRules = {
  isStatement: (whole) => {
    const line = whole.slice(0, 400).replace(/\s*\/\/.*$/, '')
    return (
      statements.some((statement) => statement.test(line)) &&
      !/^\w+\(.*\)\s+[a-z]/i.test(line.replace(/^function\b/, ''))
    )
  },
  isComment: (line) => line.startsWith('//') || line.startsWith('/*') || /^\*(?:\s|\/|$)/.test(line),
  opensBlock: () => true,
  follow: followScript,
}

const token = /\/\/.*|\/\*|\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`|\\.|[()[\]{}]/g

/** Returns whether a template, a comment or a bracket is open behind each line that it is given. */
function followScript(): (line: string) => boolean {
  let inside: '`' | '*/' | undefined
  let depth = 0
  return (line) => {
    for (const [found] of line.matchAll(token)) {
      if (inside !== undefined) inside = found === inside ? undefined : inside
      else if (found === '`') inside = '`'
      else if (found === '/*') inside = '*/'
      else if ('([{'.includes(found)) depth++
      else if (')]}'.includes(found)) depth = Math.max(0, depth - 1)
    }
    return inside !== undefined || depth > 0
  }
}
