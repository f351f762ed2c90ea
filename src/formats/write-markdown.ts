import { toMarkdown } from 'mdast-util-to-markdown'
import type { Block } from './markdown.ts'
import { documentName, type Element, type Node } from './tree.ts'

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
