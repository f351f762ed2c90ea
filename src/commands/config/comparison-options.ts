import { pairCount } from '../../analysis/compare/gather/pair-places.ts'
import type { ComparisonPlan, StopRule } from '../../schema/run/comparison-plan.ts'
import type { Problem } from '../../text/errors.ts'
import { parseChoice, parseDecimal } from '../values/parse-values.ts'
import type { RunOptions } from './run-options.ts'

/** The plan of the comparison; adds all that is wrong to `problems`. */
export function parseComparison(
  problems: Problem[],
  options: RunOptions,
  run: { simulated: boolean; methods: number; agentSets: number; tasks: number; epochs: number },
): ComparisonPlan {
  const family = parseChoice(problems, '--family', options.family, ['all', 'baseline'], 'all')
  if (options.calibration && !run.simulated)
    problems.push({
      where: '--calibration',
      what: 'is for simulated agents, whose true differences are known',
      fix: 'Leave it out: live numbers are tested anyway.',
    })
  const outcome = parseChoice(problems, '--outcome', options.outcome, ['success', 'score'], 'success')
  const kind = family === 'all' ? 'all-pairs' : 'baseline'
  const pairs = pairCount(kind, run.methods, run.agentSets)
  const stop = parseStop(problems, options.stopWhen, { ...run, outcome, pairs })
  return {
    family: kind,
    outcome,
    margin: parseMargin(problems, options.margin),
    ...(stop && { stop }),
    ...(options.calibration && { calibration: true }),
  }
}

/** Percentage points, as a share. */
function parseMargin(problems: Problem[], text: string | undefined): number | null {
  if (text === undefined) return null
  const points = parseDecimal(text)
  if (points > 0 && points < 100) return points / 100
  problems.push({
    where: `--margin ${text}`,
    what: 'is no difference in percentage points between 0 and 100',
    fix: 'Write for example --margin 5: what is up to 5 points worse still counts as no worse.',
  })
  return null
}

const sequences = ['mcnemar', 'empirical-bernstein', 'asymptotic'] as const

/** `settled`, or `settled:SEQUENCE`: the rule, which the plan fixes with all that it depends on. */
function parseStop(
  problems: Problem[],
  text: string | undefined,
  run: { outcome: ComparisonPlan['outcome']; pairs: number; tasks: number; epochs: number },
): StopRule | undefined {
  if (text === undefined) return undefined
  const where = `--stop-when ${text}`
  const single = run.epochs === 1 && run.outcome === 'success'
  const [word, named] = text.split(':')
  const sequence = sequences.find((one) => one === (named ?? (single ? 'mcnemar' : 'empirical-bernstein')))
  if (word !== 'settled' || sequence === undefined) {
    const fix = `Write --stop-when settled, or settled:SEQUENCE with ${sequences.join(', ')}.`
    problems.push({ where, what: 'is no rule', fix })
    return undefined
  }
  if (sequence === 'mcnemar' && !single)
    problems.push({
      where,
      what: 'is for one epoch that passes or fails',
      fix: 'Leave :mcnemar out, or run --epochs 1 by --outcome success.',
    })
  if (run.pairs < 1)
    problems.push({ where, what: 'has no pair to settle', fix: 'Give several methods, or --agents A,B.' })
  // Hoped for: half of the tasks. It only shapes the asymptotic sequence.
  return {
    ...{ sequence, alpha: 0.05, comparisons: Math.max(1, run.pairs) },
    hopedTasks: Math.max(1, Math.ceil(run.tasks / 2)),
  }
}
