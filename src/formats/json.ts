import { scanReply } from '../replies/scan.ts'
import { partsOf } from '../replies/scan-regions.ts'
import { isObject } from '../text/is-object.ts'
import {
  checkDepth,
  cleanName,
  cleanText,
  documentName,
  type Element,
  element,
  FormatError,
  isAttributeName,
  type Node,
  tidyChildren,
} from './tree.ts'

/**
 * Reads JSON. A key is an element, a list under it repeats the element, `@key` is an attribute, `#` is mixed content, `#code` is
 * verbatim text. An object with one key is that element. Throws `FormatError` if it is not JSON.
 */
export function readJson(text: string): Element {
  const value = valueIn(text)
  if (isObject(value)) {
    const [key, ...others] = Object.keys(value)
    const single = key === undefined ? undefined : value[key]
    if (key !== undefined && others.length === 0 && !/^[@#]/.test(key) && !Array.isArray(single))
      return elementOf(key, single, 1)
  }
  return elementOf(documentName, value, 1)
}

/** Writes indented JSON that `readJson` reads as the same tree. */
export function writeJson(root: Element): string {
  const content = contentOf(root)
  const single = isObject(content) ? Object.entries(content) : []
  const [[key = '', value] = []] = single
  const taken = single.length === 1 && !/^[@#]/.test(key) && !Array.isArray(value)
  const whole = root.name === documentName && !taken ? content : { [root.name]: content }
  return JSON.stringify(whole, null, 2)
}

/** Parses the whole text, the content of a fence, or the text from the first to the last bracket: models often write around it. */
function valueIn(text: string): unknown {
  const parts = [
    () => text,
    () => fencedIn(text),
    () => between(text, '{', '}'),
    () => between(text, '[', ']'),
  ]
  for (const partOf of parts) {
    const part = partOf()
    if (part === undefined) continue
    try {
      return JSON.parse(part)
    } catch {
      // The message of the engine is not used: it differs between versions of Node, and problems go into prompts.
    }
  }
  throw new FormatError('it is not JSON')
}

function fencedIn(text: string): string | undefined {
  for (const part of partsOf(scanReply(text).regions))
    if (part.kind === 'fence' && /^(?:json)?$/.test(part.info)) return part.content
  return undefined
}

function between(text: string, open: string, close: string): string | undefined {
  const from = text.indexOf(open)
  const to = text.lastIndexOf(close)
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined
}

type Content = string | { readonly [key: string]: unknown }

const isScalar = (value: unknown) => typeof value !== 'object' || value === null
const scalarText = (value: unknown) => (value === null ? '' : cleanText(String(value)))

const none: Readonly<Record<string, string>> = {}

function elementOf(key: string, value: unknown, depth: number): Element {
  checkDepth(depth)
  const children: Node[] = []
  let attributes: [string, string][] | undefined
  if (isScalar(value)) children.push({ kind: 'text', text: scalarText(value) })
  else if (Array.isArray(value)) for (const item of value) children.push(elementOf('item', item, depth + 1))
  else {
    for (const name of Object.keys(value as object)) {
      const inner = (value as Record<string, unknown>)[name]
      const isSign = name[0] === '#' || name[0] === '@'
      if (!isSign) addElements(children, name, inner, depth)
      else if (name[0] === '@' && isAttributeName(name.slice(1)) && isScalar(inner))
        attributes = [...(attributes ?? []), [name.slice(1), scalarText(inner)]]
      else if (name === '#')
        for (const item of Array.isArray(inner) ? inner : [inner]) addMixed(children, item, depth)
      else if (name === '#code' && isScalar(inner)) children.push(codeOf(value as CodeContent))
      else if (name !== '#language' || !Object.hasOwn(value as object, '#code'))
        addElements(children, name, inner, depth)
    }
  }
  return element(cleanName(key), tidyChildren(children), attributes ? Object.fromEntries(attributes) : none)
}

function addElements(children: Node[], name: string, value: unknown, depth: number): void {
  if (!Array.isArray(value)) children.push(elementOf(name, value, depth + 1))
  else if (value.length === 0) children.push(elementOf(name, '', depth + 1))
  else for (const item of value) children.push(elementOf(name, item, depth + 1))
}

function addMixed(children: Node[], item: unknown, depth: number): void {
  if (isScalar(item)) children.push({ kind: 'text', text: scalarText(item) })
  else if (Array.isArray(item)) children.push(elementOf('item', item, depth + 1))
  else if (Object.hasOwn(item as object, '#code')) children.push(codeOf(item as CodeContent))
  else for (const [name, inner] of Object.entries(item as object)) addElements(children, name, inner, depth)
}

type CodeContent = Readonly<Record<string, unknown>>

function codeOf(value: CodeContent): Node {
  const language = typeof value['#language'] === 'string' ? value['#language'].replace(/[\s`]+/g, '') : ''
  return { kind: 'code', language: cleanText(language), text: scalarText(value['#code']) }
}

function contentOf({ attributes, children }: Element): Content {
  const [first] = children
  let content: Record<string, unknown> | undefined
  for (const name in attributes) {
    content ??= {}
    content[`@${name}`] = attributes[name]
  }
  if (first === undefined) return content ?? ''
  if (children.length > 1 || first.kind === 'element') return withChildren(content ?? {}, children)
  if (first.kind === 'code') return { ...content, ...codeContent(first) }
  return content ? { ...content, '#': first.text } : first.text
}

/** Returns elements by name if keys can keep their order; else one list as mixed content. */
function withChildren(own: Record<string, unknown>, children: readonly Node[]): Content {
  if (!haveKeys(children)) return { ...own, '#': children.map(itemContent) }
  let before: string | undefined
  for (const child of children as readonly Element[]) {
    const { name } = child
    const content = contentOf(child)
    const last = name === before ? own[name] : undefined
    if (Array.isArray(last)) last.push(content)
    else own[name] = name === before ? [last, content] : content
    before = name
  }
  return own
}

/** Whether an object can keep the order: no text, elements of one name next to each other, no key that objects reorder. */
function haveKeys(children: readonly Node[]): boolean {
  const names = new Set<string>()
  let before: string | undefined
  for (const child of children) {
    if (child.kind !== 'element') return false
    const { name } = child
    if (name === before) continue
    // Objects put numeric keys first, and `__proto__` is not an own key.
    if (names.has(name) || /^\d+$/.test(name) || name === '__proto__') return false
    names.add(name)
    before = name
  }
  return true
}

function itemContent(node: Node): Content {
  if (node.kind === 'text') return node.text
  return node.kind === 'code' ? codeContent(node) : { [node.name]: contentOf(node) }
}

const codeContent = ({ language, text }: Extract<Node, { kind: 'code' }>) => ({
  '#code': text,
  ...(language !== '' && { '#language': language }),
})
