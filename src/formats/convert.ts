import { toMarkdown } from 'mdast-util-to-markdown'
import { withoutFence } from '../replies/scan-fences.ts'
import type { Format } from '../schema/method/format.ts'
import { readJson, writeJson } from './json.ts'
import { type Block, readMarkdown } from './markdown.ts'
import {
  cleanText,
  documentName,
  dropIndentation,
  type Element,
  element,
  FormatError,
  type Node,
} from './tree.ts'
import { readXml, writeXml } from './xml.ts'

/** Elements deeper than this heading level become list items. */
const lowestHeading = 4

/**
 * Writes Markdown that `readMarkdown` reads as the same tree. An element with child elements is a heading, any other a list
 * item with a bold name. Text that Markdown would interpret is in a `text` fence.
 */
export function writeMarkdown(root: Element): string {
  const { lead, sections } = split(root, 1)
  const isPlain = root.name === documentName && Object.keys(root.attributes).length === 0
  const isOne = lead.length === 0 && sections.length <= 1
  const children = isPlain && !isOne ? blocksUnder(root, 1) : [headingOf(root, 1), ...blocksUnder(root, 2)]
  return toMarkdown({ type: 'root', children }, { bullet: '-', fences: true, listItemIndent: 'one' })
}

/** Splits children into the content right under a heading and the sections after it. */
function split({ children }: Element, depth: number): { lead: Node[]; sections: Element[] } {
  let from = children.length
  while (from > 0 && depth <= lowestHeading && isStructured(children[from - 1] as Node)) from--
  return { lead: children.slice(0, from), sections: children.slice(from) as Element[] }
}

const isStructured = (node: Node) =>
  node.kind === 'element' && node.children.some(({ kind }) => kind === 'element')

function blocksUnder(parent: Element, depth: number): Block[] {
  const { lead, sections } = split(parent, depth)
  const under = sections.flatMap((one) => [headingOf(one, depth), ...blocksUnder(one, depth + 1)])
  return [...flowBlocks(lead), ...under]
}

const headingOf = (node: Element, depth: number): Block => ({
  type: 'heading',
  depth: depth as 1,
  children: [{ type: 'html', value: `${nameText(node.name)}${attributesText(node)}` }],
})

function flowBlocks(nodes: readonly Node[]): Block[] {
  const blocks: Block[] = []
  for (const node of nodes) {
    const last = blocks.at(-1)
    if (node.kind === 'text') blocks.push(...textBlocks(node.text))
    else if (node.kind === 'code') blocks.push(fence(node.language, node.language === 'text', node.text))
    else if (last?.type === 'list') last.children.push(itemOf(node))
    else blocks.push({ type: 'list', ordered: false, spread: false, children: [itemOf(node)] })
  }
  return blocks
}

type Item = Extract<Block, { type: 'list' }>['children'][number]

function itemOf(node: Element): Item {
  const [first, ...rest] = node.children
  const paragraphs = first?.kind === 'text' ? paragraphsOf(first.text) : undefined
  const [opening, ...more] = paragraphs ?? []
  const isBare = node.name === 'item' && opening !== undefined && Object.keys(node.attributes).length === 0
  const head = `**${nameText(node.name)}**${attributesText(node)}`
  const line = isBare ? opening : opening === undefined ? head : `${head}: ${opening}`
  const blocks = [paragraph(line), ...more.map(paragraph), ...flowBlocks(paragraphs ? rest : node.children)]
  // Without a blank line a paragraph after a list would continue the last item.
  const isTight = blocks.length === 1 || (blocks.length === 2 && blocks[1]?.type === 'list')
  return { type: 'listItem', spread: !isTight, children: blocks as Item['children'] }
}

const paragraph = (value: string): Block => ({ type: 'paragraph', children: [{ type: 'html', value }] })
const fence = (language: string, isCode: boolean, value: string): Block => ({
  type: 'code',
  lang: language === '' ? null : language,
  meta: isCode ? 'code' : null,
  value,
})

const textBlocks = (text: string): Block[] =>
  paragraphsOf(text)?.map(paragraph) ?? [fence('text', false, text)]

const blockStart = /^(?:[\s#>*+=_~<|[-]|`{3}|\d+[.)])|[ \t]$/

/** Returns the paragraphs of a text that Markdown reads back unchanged; undefined for any other text. */
function paragraphsOf(text: string): string[] | undefined {
  const lines = text.split('\n')
  const isSafe = lines.every((line, i) =>
    line === '' ? i > 0 && i < lines.length - 1 && lines[i - 1] !== '' : !blockStart.test(line),
  )
  return isSafe ? text.split('\n\n') : undefined
}

const isSimple = (name: string) => /^[\p{L}\p{N}](?:[\p{L}\p{N} _.,()/-]*[\p{L}\p{N})])?$/u.test(name)
const nameText = (name: string) => (isSimple(name) ? name : inBackticks(name))

function attributesText({ attributes }: Element): string {
  let text = ''
  for (const name in attributes) text += ` ${inBackticks(`${name}=${JSON.stringify(attributes[name])}`)}`
  return text
}

function inBackticks(text: string): string {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const ticks = '`'.repeat(longest + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${text}${space}${ticks}`
}

/** Reads plain text as a document with a single text. */
function readPlain(text: string): Element {
  const clean = cleanText(text)
  return element(documentName, clean === '' ? [] : [{ kind: 'text', text: clean }])
}

/** Writes the names and texts of a document with indentation, without markup. It cannot be read back. */
function writePlain(root: Element): string {
  const isPlain = root.name === documentName && Object.keys(root.attributes).length === 0
  return (isPlain ? linesOf(root.children, 0) : linesOf([root], 0)).join('\n')
}

function linesOf(nodes: readonly Node[], depth: number): string[] {
  const indent = '  '.repeat(depth)
  return nodes.flatMap((node) => {
    if (node.kind !== 'element') return node.text.split('\n').map((line) => `${indent}${line}`)
    const said = Object.entries(node.attributes).map(([name, value]) => `${name} ${value}`)
    const head = `${indent}${node.name}${said.length > 0 ? ` (${said.join(', ')})` : ''}`
    const [only] = node.children
    if (node.children.length === 1 && only?.kind === 'text' && !only.text.includes('\n'))
      return [`${head}: ${only.text}`]
    return node.children.length === 0 ? [head] : [`${head}:`, ...linesOf(node.children, depth + 1)]
  })
}

const readers: Readonly<Record<Format, (text: string) => Element>> = {
  xml: (text) => dropIndentation(readXml(text)),
  json: readJson,
  markdown: readMarkdown,
  plain: readPlain,
}
const writers: Readonly<Record<Format, (tree: Element) => string>> = {
  xml: writeXml,
  json: writeJson,
  markdown: writeMarkdown,
  plain: writePlain,
}

/** Longer texts are refused, in characters: no agent can read that much. */
export const mostCharacters = 2_000_000

/** Reads a text in a format; returns its tree, or why it cannot be read. */
export function read(text: string, format: Format): { tree: Element } | { problem: string } {
  if (text.length > mostCharacters) return { problem: `it is longer than ${mostCharacters} characters` }
  if (text.trim() === '') return { problem: 'it is empty' }
  try {
    return { tree: readers[format](stripFence(text, format)) }
  } catch (error) {
    if (error instanceof FormatError) return { problem: error.message }
    // The parsers are recursive.
    if (error instanceof RangeError) return { problem: 'it nests too deeply' }
    throw error
  }
}

/** Writes a document in a format. */
export const write = (tree: Element, format: Format): string => writers[format](tree)

/** Converts a text from one format to another; returns why it cannot be read otherwise. A readable text in its own format stays unchanged. */
export function convert(text: string, from: Format, to: Format): { text: string } | { problem: string } {
  const found = read(text, from)
  if ('problem' in found) return found
  return { text: from === to ? text : write(found.tree, to) }
}

/** Removes a fence around the whole text, which models often add. */
const stripFence = (text: string, format: Format): string =>
  format === 'plain' ? text : withoutFence(text, [format, format === 'markdown' ? 'md' : ''])
