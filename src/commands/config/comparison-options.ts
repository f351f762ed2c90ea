import { pairCount } from '../../analysis/compare/rows.ts'
import type { ComparisonPlan, StopRule } from '../../schema/run/comparison-plan.ts'
import { settings } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import { parseChoice, parseDecimal } from '../values/parse-values.ts'
import type { RunOptions } from './run-options.ts'

/** Parses the plan of the comparison. Adds all mistakes to `problems`. */
export function parseComparison(
  problems: Problem[],
  options: RunOptions,
  run: { simulated: boolean; methods: number; agentSets: number; tasks: number; epochs: number },
): ComparisonPlan {
  const family = parseChoice(problems, '--family', options.family, settings.family.value, 'all')
  if (options.calibration && !run.simulated)
    problems.push({
      where: '--calibration',
      what: 'is only for simulated agents, whose true differences are known',
      fix: 'Remove it: live results are always tested.',
    })
  const outcome = parseChoice(problems, '--outcome', options.outcome, settings.outcome.value, 'success')
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

/** Parses percentage points. Returns a share. */
function parseMargin(problems: Problem[], text: string | undefined): number | null {
  if (text === undefined) return null
  const points = parseDecimal(text)
  if (points > 0 && points < 100) return points / 100
  problems.push({
    where: `--margin ${text}`,
    what: 'is not a margin between 0 and 100 percentage points',
    fix: 'Write for example --margin 5: a method that is at most 5 points worse counts as not worse.',
  })
  return null
}

const sequences = ['mcnemar', 'empirical-bernstein', 'asymptotic'] as const

/** Parses `settled` or `settled:SEQUENCE` into a stop rule with everything that the rule depends on. */
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
    problems.push({ where, what: 'is not a stop rule', fix })
    return undefined
  }
  if (sequence === 'mcnemar' && !single)
    problems.push({
      where,
      what: 'requires one epoch and --outcome success',
      fix: 'Remove :mcnemar, or use --epochs 1 --outcome success.',
    })
  if (run.pairs < 1)
    problems.push({
      where,
      what: 'requires at least one pair to compare',
      fix: 'Give several methods, or --agents A,B.',
    })
  // The expected number of tasks, half of all, only shapes the asymptotic sequence.
  return {
    ...{ sequence, alpha: 0.05, comparisons: Math.max(1, run.pairs) },
    hopedTasks: Math.max(1, Math.ceil(run.tasks / 2)),
  }
}
