import type { FigureData } from '../../analysis/figures/figure-data.ts'
import { counted } from '../words/numbers.ts'
import { drawCurves } from './curves.ts'
import { frameFigure } from './frame.ts'
import { percentTick } from './ticks.ts'

/** Draws how fast work reaches compliance with its contract, as the methods' own judges report it. */
export function compliance(data: FigureData): string {
  const judged = data.compliance.filter(({ points }) => points.length > 0)
  const without = data.compliance.filter(({ points }) => points.length === 0).map(({ label }) => label)
  const last = judged.reduce((end, { points }) => Math.max(end, points.length), 1)
  return frameFigure(
    {
      title: 'Convergence of compliance',
      subtitle:
        "Compliance in the n-th verdict of the method's own judge; mean over tasks. A trial with fewer verdicts keeps its last one.",
      drawing:
        judged.length === 0
          ? null
          : drawCurves(
              data.compliance.map(({ label, points }, place) => ({
                label,
                place,
                points: points.map(({ verdict, compliance }) => ({ x: verdict, y: compliance })),
              })),
              {
                x: {
                  label: 'verdict of the trial',
                  domain: [1, Math.max(2, last)],
                  ticks: Math.min(10, Math.max(1, last - 1)),
                  format: String,
                  inset: 10,
                },
                y: { label: 'compliance, %', domain: [0, 1], format: percentTick },
              },
            ),
      notes: [
        ...(judged.length === 0
          ? ['Not drawn: no judge gave a verdict with a number called compliance.']
          : ['A verdict of a judge does not say whether the graders pass the work: see success.']),
        ...(judged.length > 0 && without.length > 0 ? [`Without such verdicts: ${without.join(', ')}.`] : []),
        ...judged.flatMap(({ label, unjudged }) =>
          unjudged > 0 ? [`${label}: ${counted(unjudged, 'trial')} without a verdict left out.`] : [],
        ),
      ],
    },
    data,
  )
}
