/** A named part of a document: what has a tag in XML, a key in JSON, a heading or a bullet with a bold name in Markdown. */
export interface Element {
  kind: 'element'
  /** As `cleanName` leaves it; need not be a name that XML allows. */
  name: string
  /** Their names are such as `isAttributeName` wants. */
  attributes: Readonly<Record<string, string>>
  children: readonly Node[]
}

/** Words. */
interface Text {
  kind: 'text'
  text: string
}

/** Text that stands word for word: CDATA in XML, a fence in Markdown. */
interface Code {
  kind: 'code'
  /** Empty where none is said; no white space, no backtick. */
  language: string
  text: string
}

/** What XML, JSON and Markdown are read into and written from: an element with attributes and mixed content. */
export type Node = Element | Text | Code

/** The name of an element that only holds together what stands side by side in the text. */
export const documentName = 'document'

/** An element without attributes, unless some are given. */
export const element = (
  name: string,
  children: readonly Node[],
  attributes: Element['attributes'] = {},
): Element => ({ kind: 'element', name, attributes, children })

/** A text that cannot be read as what it should be; `message` says why, in words for the agent's and the user's eyes. */
export class FormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FormatError'
  }
}

/** Deeper documents are refused: no agent means one, and every reader here goes down by calling itself. */
export const mostDepth = 60

/** Throws `FormatError` for a depth that is refused. */
export function checkDepth(depth: number): void {
  if (depth > mostDepth) throw new FormatError(`it nests deeper than ${mostDepth} levels`)
}

const unusual = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD]/
const foreign = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** A text as all formats can hold it: line feeds alone, and a replacement character for what XML forbids. */
export function cleanText(text: string): string {
  // Half of a character is looked at only where there are such halves.
  if (!unusual.test(text) || !foreign.test(text)) return text
  return text.replace(/\r\n?/g, '\n').replace(new RegExp(foreign, 'gu'), '\uFFFD')
}

const plainName = /^[A-Za-z_][\w.-]*$/

/** A name on one line, without the signs that mean something else in JSON, never empty. */
export function cleanName(name: string): string {
  if (plainName.test(name)) return name
  const clean = cleanText(name)
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/^[@#\s]+|\s+$/g, '')
  return clean === '' ? '_' : clean
}

/** What a name of XML begins with, as a class of a regular expression has it. */
export const nameStart =
  'A-Za-z_\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u167F\\u1681-\\u1FFF'
const xmlName = new RegExp(`^[${nameStart}][${nameStart}0-9.\\u00B7-]*$`)

/** What objects of JavaScript have by themselves: readers refuse them, or give them another name. */
const reserved = new Set(Object.getOwnPropertyNames(Object.prototype).concat('prototype'))

/** Whether XML takes it as it is. Fewer than the standard allows, so that every reader does. */
export const isXmlName = (name: string) => (plainName.test(name) || xmlName.test(name)) && !reserved.has(name)

/** A lone underscore is kept free: in XML it holds the name of an element that XML has no name for. */
export const isAttributeName = (name: string) => name !== '_' && isXmlName(name)

/**
 * Children as every reader gives them: neighbouring texts are one, empty ones none, and where there is nothing but white
 * space beside elements, there is no text.
 */
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

/** The tree without the line breaks and indentation that a writer put around texts to set them off from their tags. */
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
