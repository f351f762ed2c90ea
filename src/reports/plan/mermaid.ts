import type { GraphPlan } from '../../schema/graph/plan.ts'
import { shorten } from '../../text/shorten.ts'
import { shapeOf } from '../tables/graph-diagram.ts'
import { safeLine } from '../words/safe-text.ts'
import { boxText, type DrawnBox, type DrawnNode, drawPlan, roleText, toolLines } from './plan-drawing.ts'

/** Longest line of a label, since Mermaid draws at most 50,000 characters. */
const longestLine = 120

/**
 * Returns a plan as a Mermaid flowchart: a node for each step, a box around the steps of each pattern, dashed nodes for steps
 * that are added at run time, and a thick border around the step whose reply is the answer.
 */
export function planMermaid(plan: GraphPlan): string {
  const { root, edges } = drawPlan(plan)
  const nodes = nodesIn(root)
  const keysOf = (is: (node: DrawnNode) => boolean) => nodes.filter(is).map(({ key }) => key)
  const added = keysOf(({ kind }) => kind === 'added')
  const answer = keysOf((node) => node.kind === 'step' && node.isAnswer)
  return [
    // The title is YAML, of which JSON is a part.
    ...['---', `title: ${JSON.stringify(cut(`${plan.name}, workflow ${plan.workflow}`))}`, '---'],
    'flowchart TD',
    ...contentLines(root, '  '),
    ...edges.map(({ from, to, isAdded }) => `  ${from} ${isAdded ? '-.->' : '-->'} ${to}`),
    ...added.map((key) => `  style ${key} stroke-dasharray:4 4`),
    ...answer.map((key) => `  style ${key} stroke-width:3px`),
    '',
  ].join('\n')
}

function contentLines({ content }: DrawnBox, indent: string): string[] {
  return content.flatMap((one) => {
    if ('kind' in one) return [`${indent}${nodeText(one)}`]
    const title = one.part ? boxText(one.part) : ''
    return [
      `${indent}subgraph ${one.key}["${labelOf([title])}"]`,
      ...contentLines(one, `${indent}  `),
      `${indent}end`,
    ]
  })
}

function nodeText(node: DrawnNode): string {
  if (node.kind === 'junction') return `${node.key}(( ))`
  const work = node.kind === 'step' ? node.step : node.added.work
  const lines =
    node.kind === 'step' ? [node.step.id, roleText(work)] : [node.added.id, roleText(work), node.added.limit]
  return `${node.key}${shapeOf(work.work, labelOf([...lines, ...toolLines(work)]))}`
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
  return content.flatMap((one) => ('kind' in one ? [one] : nodesIn(one)))
}
