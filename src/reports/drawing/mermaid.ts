import type { GraphPlan } from '../../schema/graph/plan.ts'
import { shorten } from '../../text/shorten.ts'
import { safeLine } from '../words/safe-text.ts'
import { type DrawnBox, type DrawnNode, drawPlan } from './plan.ts'

/** Longest line of a label, since Mermaid draws at most 50,000 characters. */
const longestLine = 120

/**
 * Returns a plan as a Mermaid flowchart: a node for each step, a box around the steps of each pattern, dashed nodes for steps
 * that are added at run time, and a thick border around the step whose reply is the answer.
 */
export function planMermaid(plan: GraphPlan): string {
  const { title, root, edges } = drawPlan(plan)
  const styled = (mark: DrawnNode['mark'], style: string) =>
    nodesIn(root).flatMap((node) => (node.mark === mark ? [`  style ${node.key} ${style}`] : []))
  return [
    // The title is YAML, of which JSON is a part.
    ...['---', `title: ${JSON.stringify(cut(title))}`, '---'],
    'flowchart TD',
    ...contentLines(root, '  '),
    ...edges.map(({ from, to, isAdded }) => `  ${from} ${isAdded ? '-.->' : '-->'} ${to}`),
    ...styled('added', 'stroke-dasharray:4 4'),
    ...styled('answer', 'stroke-width:3px'),
    '',
  ].join('\n')
}

function contentLines({ content }: DrawnBox, indent: string): string[] {
  return content.flatMap((one) => {
    if ('lines' in one) return [`${indent}${nodeText(one)}`]
    return [
      `${indent}subgraph ${one.key}["${labelOf([one.title])}"]`,
      ...contentLines(one, `${indent}  `),
      `${indent}end`,
    ]
  })
}

const nodeText = ({ key, lines, work }: DrawnNode) =>
  lines === null ? `${key}(( ))` : `${key}${shapeOf(work, labelOf(lines))}`

/** Returns a Mermaid node's shape for a kind of work, around its label. */
export function shapeOf(work: string | undefined, label: string): string {
  if (work === 'judge') return `{{"${label}"}}`
  if (work === 'decide') return `{"${label}"}`
  return work === 'summarise' ? `[/"${label}"/]` : `["${label}"]`
}

/**
 * Returns lines as the text of a quoted label. If a character has a meaning in Mermaid, HTML or Markdown, all marks become entities, with
 * the colons: Mermaid takes `style…:…#…;` for CSS and removes the semicolon.
 */
function labelOf(lines: readonly string[]): string {
  const short = lines.map(cut)
  const isPlain = !short.some((line) => special.test(line))
  const escaped = isPlain ? short : short.map((line) => line.replaceAll(mark, entity))
  return escaped.join('<br/>')
}

const special = new RegExp(
  [
    // Markdown takes `1.` and `-` for lists, `_` beside a mark for emphasis, and addresses for links.
    /[^\p{L}\p{N} .,:@…_-]|^[^\p{L}\p{N}]|^\d+\.(?:\s|$)/u,
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|@\S*\.|www\./iu,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iu',
)
const mark = /[^\p{L}\p{N} ,…]/gu

const entity = (one: string) => `#${one.codePointAt(0)};`

const cut = (text: string) => shorten(safeLine(text), longestLine)

function nodesIn({ content }: DrawnBox): DrawnNode[] {
  return content.flatMap((one) => ('lines' in one ? [one] : nodesIn(one)))
}
