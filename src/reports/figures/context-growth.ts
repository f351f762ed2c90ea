import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { drawCurves } from './curves.ts'
import { frameFigure } from './frame.ts'
import { countTick, tickAbove } from './ticks.ts'

/** Draws the growth of the input of agents with each call of a trial. */
export function contextGrowth(data: FigureData): string {
  const points = data.context.flatMap((one) => one.points)
  const most = points.reduce((top, { tokens }) => Math.max(top, tokens), 0)
  const last = points.reduce((end, { ask }) => Math.max(end, ask), 1)
  const without = data.context.filter((one) => one.points.length === 0).map(({ label }) => label)
  const notes = [
    `A line ends where fewer than half of the method's tasks made so many calls; the remaining tasks are harder.`,
    ...(without.length > 0 ? [`No call with reported input tokens: ${without.join(', ')}.`] : []),
  ]
  return frameFigure(
    {
      title: 'Growth of the context',
      subtitle:
        'Input tokens of the n-th call of a trial, for any role; mean over the tasks that made so many calls.',
      drawing:
        points.length === 0
          ? null
          : drawCurves(
              data.context.map(({ label, points }, place) => ({
                label,
                place,
                points: points.map(({ ask, tokens }) => ({ x: ask, y: tokens })),
              })),
              {
                x: {
                  label: 'call of the trial',
                  domain: [1, Math.max(2, last)],
                  ticks: Math.min(10, Math.max(1, last - 1)),
                  format: String,
                  inset: 10,
                },
                y: { label: 'input tokens', domain: [0, tickAbove(most)], format: countTick },
              },
            ),
      notes: points.length === 0 ? ['Not drawn: no call with reported input tokens.'] : notes,
    },
    data,
  )
}
