/** A named part of a document: a tag in XML, a key in JSON, a heading or a list item with a bold name in Markdown. */
export interface Element {
  kind: 'element'
  /** A result of `cleanName`; XML need not allow it. */
  name: string
  /** Every name passes `isAttributeName`. */
  attributes: Readonly<Record<string, string>>
  children: readonly Node[]
}

/** Plain text. */
interface Text {
  kind: 'text'
  text: string
}

/** Verbatim text: CDATA in XML, a fence in Markdown. */
interface Code {
  kind: 'code'
  /** Empty if unknown; without white space and backticks. */
  language: string
  text: string
}

/** A node of the tree that XML, JSON and Markdown are read into and written from. */
export type Node = Element | Text | Code

/** The name of an element that only groups the top level of a text. */
export const documentName = 'document'

/** Creates an element. */
export const element = (
  name: string,
  children: readonly Node[],
  attributes: Element['attributes'] = {},
): Element => ({ kind: 'element', name, attributes, children })

/** A text that cannot be read in its format. `message` says why, for the agent and the user. */
export class FormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FormatError'
  }
}

/** Deeper documents are refused, because every reader is recursive. */
export const mostDepth = 60

/** Throws `FormatError` for a depth above `mostDepth`. */
export function checkDepth(depth: number): void {
  if (depth > mostDepth) throw new FormatError(`it nests deeper than ${mostDepth} levels`)
}

const unusual = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD]/
const foreign = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** Returns the text with line feeds only, and a replacement character for characters that XML forbids. */
export function cleanText(text: string): string {
  // The Unicode pattern is needed only for surrogates and forbidden characters.
  if (!unusual.test(text) || !foreign.test(text)) return text
  return text.replace(/\r\n?/g, '\n').replace(new RegExp(foreign, 'gu'), '\uFFFD')
}

const plainName = /^[A-Za-z_][\w.-]*$/

/** Returns a name on one line, without leading `@` and `#`, which have a meaning in JSON; never empty. */
export function cleanName(name: string): string {
  if (plainName.test(name)) return name
  const clean = cleanText(name)
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/^[@#\s]+|\s+$/g, '')
  return clean === '' ? '_' : clean
}

/** First characters of an XML name, as the content of a regular expression class. */
export const nameStart =
  'A-Za-z_\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u167F\\u1681-\\u1FFF'
const xmlName = new RegExp(`^[${nameStart}][${nameStart}0-9.\\u00B7-]*$`)

/** Names of JavaScript object members, which XML readers refuse or rename. */
const reserved = new Set(Object.getOwnPropertyNames(Object.prototype).concat('prototype'))

/** Whether a name is valid in XML. Stricter than the standard, so that every reader accepts it. */
export const isXmlName = (name: string) => (plainName.test(name) || xmlName.test(name)) && !reserved.has(name)

/** Whether a name is valid for an attribute. `_` is reserved: in XML it holds an element name that XML does not allow. */
export const isAttributeName = (name: string) => name !== '_' && isXmlName(name)

/** Joins neighbouring texts, drops empty ones, and drops all texts if they are only white space between elements. */
export function tidyChildren(children: Node[]): Node[] {
  let texts = 0
  let isBlank = true
  let isTidy = true
  for (let i = 0; i < children.length; i++) {
    const child = children[i] as Node
    if (child.kind !== 'text') continue
    texts++
    if (child.text === '' || children[i - 1]?.kind === 'text') isTidy = false
    if (isBlank && /[^ \t\n]/.test(child.text)) isBlank = false
  }
  if (texts === 0) return children
  if (isBlank) return children.filter(({ kind }) => kind !== 'text')
  return isTidy ? children : children.reduce(append, [])
}

function append(tidy: Node[], child: Node): Node[] {
  const last = tidy.at(-1)
  if (child.kind === 'text' && last?.kind === 'text')
    tidy[tidy.length - 1] = { kind: 'text', text: last.text + child.text }
  else if (child.kind !== 'text' || child.text !== '') tidy.push(child)
  return tidy
}

/** Removes the line breaks and indentation between texts and their tags. */
export function dropIndentation(node: Element): Element {
  const last = node.children.length - 1
  let isChanged = false
  const children = node.children.map((child, i): Node => {
    const bare =
      child.kind === 'element'
        ? dropIndentation(child)
        : child.kind === 'text'
          ? stripIndentation(child, i, last)
          : child
    if (bare !== child) isChanged = true
    return bare
  })
  return isChanged ? { ...node, children: tidyChildren(children) } : node
}

function stripIndentation(node: Text, i: number, last: number): Text {
  if (!node.text.includes('\n')) return node
  let { text } = node
  if (i === 0) text = text.replace(/^[ \t]*\n[ \t\n]*/, '')
  if (i === last) text = text.replace(/\n[ \t\n]*$/, '')
  return text === node.text ? node : { kind: 'text', text }
}
