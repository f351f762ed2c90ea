/** One method as it is written: `LABEL=NAME:DOCUMENT[option=value,…]`. */
export interface MethodText {
  label: string | undefined
  /** Name of a strategy, of an entry of the config file, or a strategy's file. */
  name: string
  /** The text after the colon; undefined without a colon. */
  document: string | undefined
  /** The text in the brackets. */
  options: string
}

/** A quoted word of a command, or a character. */
const piece = /(?<=[\s=:])(?:'[^']*'|"(?:\\.|[^"\\])*")(?=[\s,[\]]|$)|[\s\S]/g

/** Splits a list of methods, such as `sequential[maxInner=5,patience=3],B=baseline`, or a list of options at the commas outside brackets and quotes. */
export function splitMethods(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [character] of text.matchAll(piece)) {
    if (character === '[') depth++
    else if (character === ']') depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Takes the text of one method apart; undefined if it is not a method. */
export function readMethodText(text: string): MethodText | undefined {
  const [, label, rest = ''] = /^(?:([\w.-]+)=)?(.*)$/s.exec(text.trim()) ?? []
  const plain = withoutQuoted(rest)
  const bracket = plain.endsWith(']') ? openingBracket(plain) : rest.length
  if (bracket === undefined) return undefined
  const head = rest.slice(0, bracket)
  const colon = colonIn(head)
  const name = colon < 0 ? head : head.slice(0, colon)
  const document = colon < 0 ? undefined : head.slice(colon + 1).trim()
  if (name.trim() === '' || /[[\]=]/.test(name) || !isBalanced(plain.slice(name.length, bracket)))
    return undefined
  return { label, name, document, options: rest.slice(bracket + 1, -1) }
}

/** Replaces quoted words of a command by spaces, so that the brackets left are those of the method. */
const withoutQuoted = (text: string) =>
  text.replace(piece, (part) => ' '.repeat(part.length - 1) + part.slice(-1))

const path = /^(\.{0,2}\/|[a-z]:\\)/i
const ending = /\.m?[jt]s(?=$|:)/

/** Whether a method is named by a file: `./my-strategy.ts`. */
export const isFile = (name: string): boolean => path.test(name) || /\.m?[jt]s$/.test(name)

/** Returns the place of the colon before a document, or -1. In a path only a colon after a module's ending counts. */
function colonIn(head: string): number {
  if (!path.test(head)) return head.indexOf(':')
  const end = ending.exec(head)
  return end && head[end.index + end[0].length] === ':' ? end.index + end[0].length : -1
}

function openingBracket(text: string): number | undefined {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ']') depth++
    else if (text[at] === '[' && --depth === 0) return at
  }
  return undefined
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '[') depth++
    else if (character === ']' && --depth < 0) return false
  }
  return depth === 0
}

/**
 * Returns the label that a text names: an equal one, or one that says the same in another form: `NAME:DOCUMENT[…]` for
 * `NAME[option=DOCUMENT,…]`, and `NAME=METHOD` for `NAME[match=METHOD]`. Undefined unless exactly one label matches.
 */
export function findLabel(text: string, labels: readonly string[]): string | undefined {
  if (labels.includes(text)) return text
  const written = text.replace(/\s+/g, '')
  const bare = (form: string | undefined) => form?.replace(/\s+/g, '')
  const isSame = (label: string) =>
    bare(withColon(label)) === written || bare(shortLabel(label)) === shortLabel(written)
  const [found, ...more] = new Set(labels.filter(isSame))
  return more.length === 0 ? found : undefined
}

/** Returns `NAME:DOCUMENT[…]` for `NAME[option=DOCUMENT,…]`, which may end in the name of a set of agents. */
function withColon(label: string): string | undefined {
  const [, name, options = '', set = ''] = /^([^[\]]+)\[(.*)\](@.*)?$/s.exec(label) ?? []
  const [first = '', ...others] = splitMethods(options)
  const [, document] = /^\w+=(.*)$/s.exec(first) ?? []
  if (name === undefined || document === undefined) return undefined
  return `${name}:${document}${others.length > 0 ? `[${others.join(',')}]` : ''}${set}`
}

/**
 * Returns `NAME=METHOD[…]` for `NAME[match=METHOD,…]`, which may end in the name of a set of agents. Tokens are the usual unit
 * of a matched budget, so they are not named. Other labels stay as they are.
 */
export function shortLabel(label: string): string {
  const [, name, options = '', set = ''] = /^([^[\]]+)\[(.*)\](@.*)?$/s.exec(label) ?? []
  const parts = splitMethods(options)
  const match = parts.find((part) => part.startsWith('match='))
  if (name === undefined || match === undefined) return label.replace(/(=.*):tokens(?=@|$)/s, '$1')
  const others = parts.filter((part) => part !== match)
  const matched = match.slice('match='.length).replace(/:tokens$/, '')
  return `${name}=${matched}${others.length > 0 ? `[${others.join(',')}]` : ''}${set}`
}
