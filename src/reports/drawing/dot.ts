import type { GraphPlan } from '../../schema/graph/plan.ts'
import { shorten } from '../../text/shorten.ts'
import { safeLine } from '../words/safe-text.ts'
import { type DrawnBox, type DrawnNode, drawPlan } from './plan.ts'

const longestLine = 120
const font = 'fontname="Helvetica,Arial,sans-serif"'
const shapes = { produce: 'box', judge: 'hexagon', decide: 'diamond', summarise: 'parallelogram' }

/**
 * Returns a plan as a graph in DOT, the language of Graphviz: a node for each step, a cluster for each pattern, dashed nodes for
 * steps that are added at run time, and a thick border around the step whose reply is the answer.
 */
export function planDot(plan: GraphPlan): string {
  const { title, root, edges } = drawPlan(plan)
  return [
    'digraph plan {',
    `  graph [${font}, label=${quoted([title])}, labelloc="t"]`,
    `  node [${font}]`,
    `  edge [${font}]`,
    ...contentLines(root, '  '),
    ...edges.map(({ from, to, isAdded }) => `  ${from} -> ${to}${isAdded ? ' [style="dashed"]' : ''}`),
    '}',
    '',
  ].join('\n')
}

function contentLines({ content }: DrawnBox, indent: string): string[] {
  return content.flatMap((one) => {
    if ('lines' in one) return [`${indent}${nodeText(one)}`]
    return [
      // Graphviz draws a box around subgraphs whose names begin with "cluster".
      `${indent}subgraph cluster_${one.key} {`,
      `${indent}  label=${quoted([one.title])}`,
      ...contentLines(one, `${indent}  `),
      `${indent}}`,
    ]
  })
}

function nodeText({ key, lines, work, mark }: DrawnNode): string {
  if (lines === null) return `${key} [shape="point"]`
  const style = mark === undefined ? '' : mark === 'added' ? ', style="dashed"' : ', penwidth="3"'
  return `${key} [label=${quoted(lines)}, shape="${shapes[work]}"${style}]`
}

/** Returns lines as a quoted text. Graphviz reads escapes and entities of HTML in it. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    shorten(safeLine(line), longestLine)
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')
      .replaceAll('&', '&amp;'),
  )
  return `"${escaped.join('\\n')}"`
}
