import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import {
  checkDepth,
  cleanName,
  cleanText,
  documentName,
  type Element,
  element,
  FormatError,
  isXmlName,
  type Node,
  nameStart,
  tidyChildren,
} from './tree.ts'

// This file decodes entities: only the five of XML and numeric ones. Entities that a document defines are not supported.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  allowBooleanAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
  onDangerousProperty: (name) => name,
})
const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  format: false,
  processEntities: false,
  cdataPropName: '#cdata',
  suppressEmptyNode: true,
})

/**
 * Reads XML from the first tag to the last. CDATA, alone or in `<code language="…">`, is verbatim text; `<_ _="a name">` is an
 * element whose name XML does not allow; several elements next to each other make a document. Throws `FormatError` if it is
 * not well-formed, and for any DOCTYPE: nothing is fetched or expanded.
 */
export function readXml(text: string): Element {
  const from = text.search(firstTag)
  const to = text.lastIndexOf('>')
  if (from < 0 || to < from) throw new FormatError('it holds no XML')
  const body = cleanText(text.slice(from, to + 1)).replace(/^<\?xml[^>]*\?>/, '')
  if (/<!DOCTYPE/i.test(body) && /<!DOCTYPE/i.test(body.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '')))
    throw new FormatError('it holds a DOCTYPE, which is refused')
  const whole = `<${documentName}>${body}</${documentName}>`
  // Several root elements are valid inside `whole`. For other errors the line number refers to `body`.
  const valid = XMLValidator.validate(whole) === true || XMLValidator.validate(body)
  if (valid !== true)
    throw new FormatError(`it is not well-formed XML, line ${valid.err.line}: ${cleanText(valid.err.msg)}`)
  let parsed: Ordered[]
  try {
    parsed = parser.parse(whole)
  } catch (error) {
    throw new FormatError(`it cannot be read as XML: ${(error as Error).message}`)
  }
  const root = elementOf(parsed[0] as Ordered, 0)
  const [only] = root.children
  return root.children.length === 1 && only?.kind === 'element' ? only : root
}

// A tag may begin with any letter, not only those of `nameStart`.
const firstTag = new RegExp(`<[${nameStart}\\p{L}?!]`, 'u')

/** Writes XML that `readXml` reads as the same tree, indented where white space has no meaning. */
export function writeXml(root: Element): string {
  return builder.build([orderedOf(root, 1)])
}

/** A node of parser and builder with `preserveOrder`: one key is its tag, `#text` or `#cdata`. */
type Ordered = { readonly [tag: string]: unknown }

function elementOf(node: Ordered, depth: number): Element {
  checkDepth(depth)
  const tag = tagOf(node)
  const given = node[':@'] as Readonly<Record<string, string>> | undefined
  const name = tag === '_' ? given?._ : undefined
  const attributes: Record<string, string> = {}
  for (const key in given) {
    // Parser and validator refuse names such as `__proto__`.
    if (key !== '_' || name === undefined) attributes[key] = decode(given[key] as string)
  }
  const children = childrenOf(node[tag] as Ordered[], depth)
  return element(cleanName(name === undefined ? tag : decode(name)), children, attributes)
}

function childrenOf(nodes: readonly Ordered[], depth: number): Node[] {
  const children: Node[] = []
  let wasCdata = false
  for (const node of nodes) {
    const text = node['#text'] as string | undefined
    const isCdata = text === undefined && node['#cdata'] !== undefined
    const last = wasCdata && isCdata ? children.at(-1) : undefined
    wasCdata = isCdata
    if (text !== undefined) children.push({ kind: 'text', text: decode(text) })
    // A text that holds `]]>` is written as two CDATA sections.
    else if (last?.kind === 'code')
      children[children.length - 1] = { ...last, text: last.text + cdataOf([node]) }
    else if (isCdata) children.push({ kind: 'code', language: '', text: cdataOf([node]) })
    else children.push(codeOf(node) ?? elementOf(node, depth + 1))
  }
  return tidyChildren(children)
}

const cdataOf = (nodes: readonly Ordered[]) =>
  nodes.map((node) => ((node['#cdata'] as Ordered[])[0]?.['#text'] as string | undefined) ?? '').join('')

function codeOf(node: Ordered): Node | undefined {
  const content = node.code as readonly Ordered[] | undefined
  if (!content || content.length === 0 || content.some((one) => one['#cdata'] === undefined)) return undefined
  const { language = '', ...others } = (node[':@'] ?? {}) as Record<string, string>
  if (Object.keys(others).length > 0) return undefined
  return { kind: 'code', language: decode(language).replace(/[\s`]+/g, ''), text: cdataOf(content) }
}

function tagOf(node: Ordered): string {
  for (const key in node) if (key !== ':@') return key
  return ''
}

function orderedOf(node: Node, depth: number): Ordered {
  if (node.kind === 'text') return { '#text': encode(node.text) }
  if (node.kind === 'code') {
    const content = [{ '#cdata': [{ '#text': node.text }] }]
    return node.language === ''
      ? { code: content }
      : { code: content, ':@': { language: encode(node.language) } }
  }
  const { name, attributes } = node
  const own: Record<string, string> = {}
  const isNamed = name === '_' || !isXmlName(name)
  if (isNamed) own._ = encode(name, true)
  for (const key in attributes) own[key] = encode(attributes[key] as string, true)
  const children = node.children.map((child) => orderedOf(child, depth + 1))
  const isMixed = node.children.some(({ kind }) => kind === 'text')
  const content = isMixed || children.length === 0 ? children : indent(children, depth)
  return { [isNamed ? '_' : name]: content, ':@': own }
}

function indent(children: readonly Ordered[], depth: number): Ordered[] {
  const before = { '#text': `\n${'  '.repeat(depth)}` }
  return [...children.flatMap((child) => [before, child]), { '#text': `\n${'  '.repeat(depth - 1)}` }]
}

const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) => {
    if (name !== undefined) {
      const character = names[name]
      if (character === undefined) throw new FormatError(`it is not XML: nobody says what &${name}; is`)
      return character
    }
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? cleanText(String.fromCodePoint(code)) : '\uFFFD'
  })
}

const signs: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
}

function encode(text: string, isAttribute = false): string {
  if (!/[<>&"\t\n]/.test(text)) return text
  return text.replace(isAttribute ? /[<>&"\t\n]/g : /[<>&]/g, (sign) => signs[sign] as string)
}
