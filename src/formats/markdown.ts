import { fromMarkdown } from 'mdast-util-from-markdown'
import {
  checkDepth,
  cleanName,
  cleanText,
  documentName,
  type Element,
  element,
  isAttributeName,
  type Node,
  tidyChildren,
} from './tree.ts'

/** A Markdown block of the parser. */
export type Block = ReturnType<typeof fromMarkdown>['children'][number]
type Of<Type extends Block['type']> = Extract<Block, { type: Type }>
type Inline = Of<'paragraph'>['children'][number]

/**
 * Reads Markdown. A heading is an element with everything under it. A list item that begins with a bold name, attributes as
 * `name="value"` in backticks and a colon is an element of that name; any other is an `item`. A fence is verbatim text. Text
 * keeps its emphasis and links. Throws `FormatError` only if it nests too deeply.
 */
export function readMarkdown(text: string): Element {
  const source = cleanText(text)
  const blocks = fromMarkdown(source).children
  const open: Section[] = [{ head: { name: documentName, attributes: {} }, depth: 0, children: [] }]
  for (const block of blocks) {
    if (block.type === 'heading') {
      while (innermost(open).depth >= block.depth) close(open)
      open.push({ head: headingOf(block.children, source), depth: block.depth, children: [] })
    } else innermost(open).children.push(...nodesOf(block, source, open.length))
  }
  while (open.length > 1) close(open)
  const children = joinTexts(innermost(open).children)
  const [only] = children
  // A single heading over everything names the document.
  return only?.kind === 'element' && children.length === 1 && blocks[0]?.type === 'heading'
    ? only
    : element(documentName, children)
}

interface Head {
  name: string
  attributes: Record<string, string>
}

interface Section {
  head: Head
  depth: number
  children: Node[]
}

const innermost = (open: readonly Section[]) => open.at(-1) as Section

function close(open: Section[]): void {
  const { head, children } = open.pop() as Section
  innermost(open).children.push(element(head.name, joinTexts(children), head.attributes))
}

/** Joins consecutive paragraphs into one text. */
function joinTexts(nodes: readonly Node[]): Node[] {
  const children: Node[] = []
  for (const node of nodes) {
    const last = children.at(-1)
    if (node.kind === 'text' && last?.kind === 'text')
      children[children.length - 1] = { kind: 'text', text: `${last.text}\n\n${node.text}` }
    else children.push(node)
  }
  return tidyChildren(children)
}

function nodesOf(block: Block, source: string, depth: number): Node[] {
  switch (block.type) {
    case 'thematicBreak':
      return []
    case 'code':
      return [codeOf(block)]
    case 'list':
      return block.children.map((item) => itemOf(item.children as Block[], source, depth + 1))
    default:
      return [{ kind: 'text', text: slice(source, block, block) }]
  }
}

/** Reads a fence. A `text` fence holds text that Markdown would interpret. */
function codeOf({ lang, meta, value }: Of<'code'>): Node {
  if (lang === 'text' && meta !== 'code') return { kind: 'text', text: value }
  return { kind: 'code', language: (lang ?? '').replace(/[\s`]+/g, ''), text: value }
}

function itemOf(blocks: readonly Block[], source: string, depth: number): Element {
  checkDepth(depth)
  const [first, ...others] = blocks
  const field = first?.type === 'paragraph' ? fieldOf(first, source) : undefined
  const children = (field ? others : blocks).flatMap((block) => nodesOf(block, source, depth))
  if (!field) return element('item', joinTexts(children))
  if (field.rest !== '') children.unshift({ kind: 'text', text: field.rest })
  return element(field.name, joinTexts(children), field.attributes)
}

/** Reads `**name** \`a="b"\`: rest`, or `**name:** rest`, which models often write; undefined for any other paragraph. */
function fieldOf(paragraph: Of<'paragraph'>, source: string): (Head & { rest: string }) | undefined {
  const { children } = paragraph
  const [strong] = children
  if (strong?.type !== 'strong') return undefined
  const name = nameOf(strong.children, source)
  const attributes: [string, string][] = []
  let at = 1
  for (; isSpace(children[at]); at += 2) {
    const attribute = attributeOf(children[at + 1])
    if (!attribute) break
    attributes.push(attribute)
  }
  const head = { name: cleanName(name), attributes: Object.fromEntries(attributes) }
  const next = children[at]
  if (!next) return { ...head, rest: '' }
  if (next.type === 'text' && next.value.startsWith(':'))
    return { ...head, rest: slice(source, next, paragraph).slice(1).trimStart() }
  if (at > 1 || !name.endsWith(':')) return undefined
  return { ...head, name: cleanName(name.slice(0, -1)), rest: slice(source, next, paragraph).trimStart() }
}

function headingOf(children: readonly Inline[], source: string): Head {
  const attributes: [string, string][] = []
  let end = children.length
  while (end > 1) {
    const attribute = attributeOf(children[end - 1])
    const before = children[end - 2]
    if (!attribute || before?.type !== 'text' || !before.value.endsWith(' ')) break
    attributes.unshift(attribute)
    end -= isSpace(before) ? 2 : 1
  }
  return {
    name: cleanName(nameOf(children.slice(0, end), source)),
    attributes: Object.fromEntries(attributes),
  }
}

const isSpace = (node: Inline | undefined) => node?.type === 'text' && node.value === ' '

function nameOf(nodes: readonly Inline[], source: string): string {
  const [first] = nodes
  const last = nodes.at(-1)
  if (!first || !last) return ''
  return nodes.length === 1 && first.type === 'inlineCode' ? first.value : slice(source, first, last)
}

function attributeOf(node: Inline | undefined): [string, string] | undefined {
  const [, name = '', value = ''] =
    node?.type === 'inlineCode' ? (/^([^\s=]+)=("(?:[^"\\]|\\.)*")$/.exec(node.value) ?? []) : []
  if (!isAttributeName(name)) return undefined
  try {
    return [name, cleanText(JSON.parse(value) as string)]
  } catch {
    return undefined
  }
}

/** Returns the source from the start of one node to the end of another, without the indentation of their block. */
function slice(source: string, from: Block | Inline, to: Block | Inline): string {
  const text = source.slice(from.position?.start.offset, to.position?.end.offset)
  return text.includes('\n') ? text.replace(/\n[ \t]+/g, '\n') : text
}
