import { axisX, dot, line, text } from '@observablehq/plot'
import type { FigureData } from '../../analysis/figures/figure-data.ts'
import type { RankDiagram } from '../../analysis/figures/task-ranks.ts'
import { refusals } from '../../analysis/refusal.ts'
import { counted } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { axisText } from './curves.ts'
import { type Drawing, drawPlot, figureWidth, frameFigure, textSize } from './frame.ts'
import { roomForNames, shortName } from './svg-text.ts'
import { ticksAcross } from './ticks.ts'

/** `rank`: room for the number beside a name. */
const margin = { rank: 46, top: 44, bottom: 12 }
const rowHeight = 18

/** Draws methods by their average rank over tasks; bars join those within the critical difference (Demsar 2006). */
export function ranks(data: FigureData): string {
  const diagram = data.ranks
  const reason = diagram ? diagram.refusal : 'there is only one method'
  const outcome = data.comparison?.outcome ?? 'success'
  return frameFigure(
    {
      title: 'Critical-difference diagram',
      subtitle: `Average rank of each method's ${outcome} over ${diagram ? counted(diagram.nTasks, 'task') : 'tasks'}, 1 the best; ties share their ranks.`,
      drawing: diagram && reason === null ? drawRanks(diagram) : null,
      notes:
        diagram && reason === null
          ? [
              diagram.critical
                ? `CD: Nemenyi's critical difference at ${confidenceName(data.summary)}, ${diagram.critical.difference.toFixed(2)}. Methods joined by a bar do not differ by their ranks at this level.`
                : `No critical difference and no bars: ${refusals[diagram.silence ?? 'simulated']}.`,
              'Ranks depend on which methods were entered; the comparison has the verdict on each pair.',
            ]
          : [`Not drawn: ${reason}.`],
    },
    data,
  )
}

function drawRanks({ ranks, critical }: RankDiagram): Drawing {
  const half = Math.ceil(ranks.length / 2)
  const bars = critical?.groups ?? []
  const under = 0.9 + 0.55 * bars.length
  const placed = ranks.map(({ label, rank }, index) => ({
    label,
    rank,
    left: index < half,
    y: under + (index < half ? index : ranks.length - 1 - index),
  }))
  const deepest = placed.reduce((most, { y }) => Math.max(most, y), 0) + 0.6
  const side = margin.rank + roomForNames(ranks, textSize.text)
  const rankOf = (label: string | undefined) => ranks.find((one) => one.label === label)?.rank ?? 1
  const first = 1
  const last = ranks.length
  return drawPlot({
    width: figureWidth,
    height: margin.top + margin.bottom + rowHeight * deepest,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    marginLeft: side,
    marginRight: side,
    x: { domain: [first, last] },
    y: { domain: [deepest, 0], axis: null },
    marks: [
      axisX({
        ...axisText({ label: null, format: String }),
        anchor: 'top',
        ticks: ticksAcross({
          ...{ domain: [first, last], most: last, format: String },
          ...{ pixels: figureWidth - 2 * side, beyond: side },
        }),
      }),
      line([first, last], { x: (rank) => rank, y: 0, strokeWidth: 1.5 }),
      ...(critical
        ? [
            line([first, Math.min(last, first + critical.difference)], {
              x: (rank) => rank,
              y: 0,
              dy: -34,
              strokeWidth: 3,
            }),
            text([first], {
              x: (rank) => rank,
              y: 0,
              dx: -8,
              dy: -34,
              textAnchor: 'end',
              text: () => 'CD',
              fontSize: textSize.text,
            }),
          ]
        : []),
      ...placed.flatMap(({ label, rank, left, y }) => [
        line(
          [
            { x: rank, y: 0 },
            { x: rank, y },
            { x: left ? first : last, y },
          ],
          { x: 'x', y: 'y', strokeWidth: 1 },
        ),
        text([label], {
          x: left ? first : last,
          y,
          dx: left ? -6 : 6,
          textAnchor: left ? 'end' : 'start',
          fontSize: textSize.text,
          text: () => `${shortName(label, textSize.text)} ${rank.toFixed(2)}`,
        }),
      ]),
      dot(placed, { x: 'rank', y: 0, r: 3, fill: 'currentColor' }),
      ...bars.map((group, index) =>
        line([rankOf(group[0]), rankOf(group.at(-1))], {
          x: (rank) => rank,
          y: 0.6 + 0.55 * index,
          strokeWidth: 4,
          strokeLinecap: 'round',
        }),
      ),
    ],
  })
}
