import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { counted } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { drawCurves } from './curves.ts'
import { frameFigure, spanOf } from './frame.ts'
import { countTick, percentTick } from './ticks.ts'

/** With more methods than this, interval bands would hide each other. */
const mostBands = 4

/** Draws success as a function of the tokens that a trial may spend. */
export function successAtBudget(data: FigureData): string {
  const { budget, summary } = data
  const level = confidenceName(summary)
  const bands = budget.filter(({ points }) => points.length > 0).length <= mostBands
  const spent = budget.flatMap(({ points, most }) => [...points.map((point) => point.budget), most])
  const { log, domain } = spanOf(spent.filter((tokens) => tokens > 0))
  const curves = budget.map(({ label, points, most }, place) => ({
    label,
    place,
    points: [...points, ...points.slice(-1).map((last) => ({ ...last, budget: most }))].map(
      ({ budget: tokens, share, lower, upper }) => ({
        x: Math.max(tokens, domain[0]),
        y: share,
        low: bands ? lower : null,
        high: bands ? upper : null,
      }),
    ),
  }))
  const without = budget.filter(({ points }) => points.length === 0).map(({ label }) => label)
  const isDrawn = without.length < budget.length
  return frameFigure(
    {
      title: 'Success at a budget of tokens',
      subtitle: `Share of trials that passed with at most that many tokens, input and output; mean over tasks${bands ? `, with its ${level} interval at each budget` : ''}.`,
      drawing: isDrawn
        ? drawCurves(curves, {
            x: {
              label: `tokens that a trial may spend${log ? ' (logarithmic)' : ''}`,
              domain,
              log,
              format: countTick,
            },
            y: { label: 'success, %', domain: [0, 1], format: percentTick },
            steps: true,
          })
        : null,
      notes: [
        ...(isDrawn
          ? ['A trial cut off earlier counts as failed, because its later result is unknown.']
          : ['Not drawn: no trial with fully reported tokens passed.']),
        ...(isDrawn && without.length > 0 ? [`Nothing passed, so no line: ${without.join(', ')}.`] : []),
        ...(isDrawn && !bands
          ? [`Intervals are left out for more than ${mostBands} methods; see the figure of success.`]
          : []),
        ...budget.flatMap(({ label, unknown }) =>
          unknown > 0 ? [`${label}: ${counted(unknown, 'trial')} with unreported tokens left out.`] : [],
        ),
      ],
    },
    data,
  )
}
