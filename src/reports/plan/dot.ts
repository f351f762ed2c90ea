import type { GraphPlan } from '../../schema/graph/plan.ts'
import { shorten } from '../../text/shorten.ts'
import { safeLine } from '../words/safe-text.ts'
import { boxText, type DrawnBox, type DrawnNode, drawPlan, roleText, toolLines } from './plan-drawing.ts'

const longestLine = 120
const font = 'fontname="Helvetica,Arial,sans-serif"'
const shapes = { produce: 'box', judge: 'hexagon', decide: 'diamond', summarise: 'parallelogram' }

/**
 * Returns a plan as a graph in DOT, the language of Graphviz: a node for each step, a cluster for each pattern, dashed nodes for
 * steps that are added at run time, and a thick border around the step whose reply is the answer.
 */
export function planDot(plan: GraphPlan): string {
  const { root, edges } = drawPlan(plan)
  return [
    'digraph plan {',
    `  graph [${font}, label=${quoted(`${plan.name}, workflow ${plan.workflow}`)}, labelloc="t"]`,
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
    if ('kind' in one) return [`${indent}${nodeText(one)}`]
    return [
      // Graphviz draws a box around subgraphs whose names begin with "cluster".
      `${indent}subgraph cluster_${one.key} {`,
      ...(one.part ? [`${indent}  label=${quoted(boxText(one.part))}`] : []),
      ...contentLines(one, `${indent}  `),
      `${indent}}`,
    ]
  })
}

function nodeText(node: DrawnNode): string {
  if (node.kind === 'junction') return `${node.key} [shape="point"]`
  if (node.kind === 'added') {
    const { id, work, limit } = node.added
    return `${node.key} [label=${quoted(id, roleText(work), limit, ...toolLines(work))}, shape="${shapes[work.work]}", style="dashed"]`
  }
  const { step, isAnswer } = node
  const border = isAnswer ? ', penwidth="3"' : ''
  return `${node.key} [label=${quoted(step.id, roleText(step), ...toolLines(step))}, shape="${shapes[step.work]}"${border}]`
}

/** Returns lines as a quoted text. Graphviz reads escapes and entities of HTML in it. */
function quoted(...lines: string[]): string {
  const escaped = lines.map((line) =>
    shorten(safeLine(line), longestLine)
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')
      .replaceAll('&', '&amp;'),
  )
  return `"${escaped.join('\\n')}"`
}
