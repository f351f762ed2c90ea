import type { Problem } from '../errors.ts'
import type { ComparisonPlan } from '../schema/comparison-plan.ts'
import { oneOf } from './one-of.ts'

/** Options of `bench run` that fix how methods are compared. */
export interface ComparisonOptions {
  family?: string
  outcome?: string
  margin?: string
  calibration?: boolean
}

/** The plan of the comparison; adds all that is wrong to `problems`. */
export function parseComparison(
  problems: Problem[],
  options: ComparisonOptions,
  { simulated }: { simulated: boolean },
): ComparisonPlan {
  const family = oneOf(problems, '--family', options.family, ['all', 'baseline'], 'all')
  if (options.calibration && !simulated)
    problems.push({
      where: '--calibration',
      what: 'is for simulated agents, whose true differences are known',
      fix: 'Leave it out: live numbers are tested anyway.',
    })
  return {
    family: family === 'all' ? 'all-pairs' : 'baseline',
    outcome: oneOf(problems, '--outcome', options.outcome, ['success', 'score'], 'success'),
    margin: parseMargin(problems, options.margin),
    ...(options.calibration && { calibration: true }),
  }
}

/** Percentage points, as a share. */
function parseMargin(problems: Problem[], text: string | undefined): number | null {
  if (text === undefined) return null
  const points = text.trim() === '' ? Number.NaN : Number(text)
  if (points > 0 && points < 100) return points / 100
  problems.push({
    where: `--margin ${text}`,
    what: 'is no difference in percentage points between 0 and 100',
    fix: 'Write for example --margin 5: what is up to 5 points worse still counts as no worse.',
  })
  return null
}
