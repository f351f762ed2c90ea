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
 * Reads JSON: a key is an element, a list under it the element again and again, `@key` an attribute, `#` mixed content,
 * `#code` text word for word. An object with one key is that element. Throws `FormatError` where it is no JSON.
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

/** Writes JSON, indented, such that `readJson` gives the same tree. */
export function writeJson(root: Element): string {
  const content = contentOf(root)
  const single = isObject(content) ? Object.entries(content) : []
  const [[key = '', value] = []] = single
  const taken = single.length === 1 && !/^[@#]/.test(key) && !Array.isArray(value)
  const whole = root.name === documentName && !taken ? content : { [root.name]: content }
  return JSON.stringify(whole, null, 2)
}

/** The whole text, what stands in a fence, or from the first bracket to the last: models like to say a word before it. */
function valueIn(text: string): unknown {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/.exec(text)?.[1]
  for (const candidate of [text, fenced, between(text, '{', '}'), between(text, '[', ']')]) {
    if (candidate === undefined) continue
    try {
      return JSON.parse(candidate)
    } catch {
      // Words of the engine differ between versions of Node, and what is told goes into prompts.
    }
  }
  throw new FormatError('it is not JSON')
}

function between(text: string, open: string, close: string): string | undefined {
  const from = text.indexOf(open)
  const to = text.lastIndexOf(close)
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined
}

type Content = string | { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
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
  const own: [string, unknown][] = []
  for (const name in attributes) own.push([`@${name}`, attributes[name]])
  const [first] = children
  if (own.length === 0 && first === undefined) return ''
  if (children.length === 1 && first?.kind === 'text') {
    if (own.length === 0) return first.text
    own.push(['#', first.text])
  } else if (children.length === 1 && first?.kind === 'code') own.push(...Object.entries(codeContent(first)))
  else if (first) own.push(...(grouped(children) ?? [['#', children.map(itemContent)]]))
  return Object.fromEntries(own)
}

/** Elements by name, where keys can hold them in their order; undefined where they cannot. */
function grouped(children: readonly Node[]): [string, unknown][] | undefined {
  const groups: [string, unknown][] = []
  const names = new Set<string>()
  for (const child of children) {
    // Objects put keys that are numbers first.
    if (child.kind !== 'element' || /^\d+$/.test(child.name)) return undefined
    const last = groups.at(-1)
    const content = contentOf(child)
    if (last?.[0] !== child.name) {
      if (names.has(child.name)) return undefined
      names.add(child.name)
      groups.push([child.name, content])
    } else if (Array.isArray(last[1])) last[1].push(content)
    else last[1] = [last[1], content]
  }
  return groups
}

function itemContent(node: Node): Content {
  if (node.kind === 'text') return node.text
  return node.kind === 'code' ? codeContent(node) : { [node.name]: contentOf(node) }
}

const codeContent = ({ language, text }: Extract<Node, { kind: 'code' }>) => ({
  '#code': text,
  ...(language !== '' && { '#language': language }),
})
