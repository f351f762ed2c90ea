import { fromMarkdown } from 'mdast-util-from-markdown'
import { displayWidth } from '../../text/display-width.ts'
import { wrapWords } from '../../text/wrap-words.ts'

type Parent = Pick<ReturnType<typeof fromMarkdown>, 'children'>
/** Any node of a tree but its root. */
type Node = Parent['children'][number]

const codeIndent = 4
/** The least width of a column of a table. Where there is less, each row is a list. */
const leastColumn = 12

/** Returns a page of Markdown as plain text in lines of at most `width` columns; code stays as it is, so that it can be copied. */
export function pageText(markdown: string, width: number): string {
  return blocks(fromMarkdown(markdown), markdown, width).join('\n\n')
}

const blocks = (parent: Parent, source: string, width: number): string[] =>
  parent.children.flatMap((node) => {
    const lines = blockLines(node as Node, source, width)
    return lines.length === 0 ? [] : [lines.join('\n')]
  })

function blockLines(node: Node, source: string, width: number): string[] {
  if (node.type === 'heading') {
    const title = inline(node)
    return node.depth > 2 ? [title] : [title, '-'.repeat(Math.min(displayWidth(title), width))]
  }
  if (node.type === 'code') return node.value.split('\n').map((line) => `${' '.repeat(codeIndent)}${line}`)
  if (node.type === 'list')
    return node.children.flatMap((item, i) => {
      const mark = node.ordered ? `${(node.start ?? 1) + i}. ` : '- '
      const lines = blocks(item, source, width - mark.length)
        .join(node.spread ? '\n\n' : '\n')
        .split('\n')
      return lines.map((line, at) => (at === 0 ? `${mark}${line}` : `${' '.repeat(mark.length)}${line}`))
    })
  if (node.type === 'blockquote')
    return blocks(node, source, width - 2)
      .join('\n\n')
      .split('\n')
  if (node.type !== 'paragraph') return []
  const raw = source.slice(node.position?.start.offset, node.position?.end.offset)
  return raw.startsWith('|') ? tableLines(raw, width) : wrapWords(inline(node), width)
}

/** A link to a guide or to a page of the reference, from one of these. */
const page = /^(?:(?:\.\.\/)?(?:guides|reference)\/)?(?!README)([\w-]+)\.md(#.*)?$/

/** Returns the words of a text; a link to another page becomes the command that prints it. */
function inline(node: Node): string {
  if (node.type === 'inlineCode') return `\`${node.value}\``
  if (node.type === 'text') return node.value.replaceAll('\n', ' ')
  if (node.type === 'break') return ' '
  if (node.type === 'image') return node.alt ?? ''
  if (!('children' in node)) return ''
  const words = node.children.map(inline).join('')
  if (node.type !== 'link') return words
  const [, topic, anchor = ''] = page.exec(node.url) ?? []
  if (topic !== undefined) return `${words} (bench help ${topic}${anchor})`
  return /^https?:/.test(node.url) && words !== node.url ? `${words} (${node.url})` : words
}

/** Lays out a table of Markdown in columns whose cells go on below; where there is no room for that, each row is a list. */
function tableLines(raw: string, width: number): string[] {
  const [head = [], , ...rows] = raw.split('\n').map(cellsOf)
  const hasHead = head.some((cell) => cell !== '')
  const shown = hasHead ? [head, ...rows] : rows
  const widths = columnWidths(shown, width)
  if (widths === undefined)
    return rows.flatMap(([first = '', ...others]) => [
      ...wrapWords(`- ${first}`, width),
      ...others.flatMap((cell, i) => {
        const text = head[i + 1] ? `${head[i + 1]}: ${cell}` : cell
        return cell === '' ? [] : wrapWords(text, width - 2).map((line) => `  ${line}`)
      }),
    ])
  const lines = shown.map((row) => rowLines(row, widths))
  const rule = widths.map((one) => '-'.repeat(one)).join('  ')
  return hasHead ? [...(lines[0] ?? []), rule, ...lines.slice(1).flat()] : lines.flat()
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => fromMarkdown(cell.trim().replaceAll('\\|', '|')).children.map(inline).join(' '))

/** Shares the width among columns: narrow ones get what they need, the others equal parts of what is left. */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] | undefined {
  const count = Math.max(...rows.map((row) => row.length))
  const natural = Array.from({ length: count }, (_, i) =>
    Math.max(1, ...rows.map((row) => displayWidth(row[i] ?? ''))),
  )
  let [room, left] = [width - 2 * (count - 1), count]
  const given = new Map<number, number>()
  for (const [wide, i] of natural.map((wide, i) => [wide, i] as const).sort((a, b) => a[0] - b[0])) {
    const share = Math.min(wide, Math.floor(room / left))
    if (share < Math.min(wide, leastColumn)) return undefined
    given.set(i, share)
    room -= share
    left -= 1
  }
  return natural.map((_, i) => given.get(i) ?? 1)
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((wide, i) => wrapWords(row[i] ?? '', wide))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, i) => {
        const text = lines[at] ?? ''
        return `${text}${' '.repeat(Math.max((widths[i] ?? 0) - displayWidth(text), 0))}`
      })
      .join('  ')
      .trimEnd(),
  )
}
