import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { evidenceOf } from '../../analysis/evidence.ts'
import type { ComparisonPlan } from '../../schema/run/comparison-plan.ts'
import type { Problem } from '../../text/errors.ts'

const words = ['better', 'notWorse', 'equivalent'] as const

/** A condition on a pair of methods: `better(A, B)`, or `!better(A, B)` for its negation. */
export interface VerdictCondition {
  kind: 'verdict'
  text: string
  word: (typeof words)[number]
  a: string
  b: string
  negated: boolean
}

/** Parses a verdict such as `better(A, B)`. Returns undefined for any other text. */
export function parseVerdictCondition(text: string): VerdictCondition | undefined {
  const match = /^\s*(!?)\s*(\w+)\(\s*([^()]+?)\s*,\s*([^(),]+?(?:\[[^\]]*\])?)\s*\)\s*$/.exec(text)
  const [, negation = '', name = '', a = '', b = ''] = match ?? []
  const word = words.find((known) => known === name)
  return word && { kind: 'verdict', text: text.trim(), word, a, b, negated: negation === '!' }
}

/** Returns the reason why a run cannot answer this condition, before the run begins. */
export function verdictProblems(
  { text, word, a, b }: VerdictCondition,
  run: { simulated: boolean; comparison: ComparisonPlan; baseline: string | null },
): Problem[] {
  const where = `--fail-if ${text}`
  const { family, margin, calibration } = run.comparison
  const { name, untested, beside } = evidenceOf(run)
  if (beside.gate.length === 0 && !calibration)
    return [
      {
        where,
        what: `needs a verdict, but the numbers are ${name}: ${untested}`,
        fix: `Use a condition for a dev run, for example *.missing>0; ${word}() needs --mode live.`,
      },
    ]
  if (a === b) return [{ where, what: 'compares a method with itself', fix: 'Name two methods.' }]
  const [ours, theirs] = [methodOf(a), methodOf(b)]
  if (ours !== theirs && setOf(a) !== setOf(b))
    return [
      {
        where,
        what: 'names two methods with two sets of agents, or two wordings; reports do not compare those',
        fix: 'Name two methods with the same one, or one method with two.',
      },
    ]
  if (family === 'baseline' && (ours === theirs || (ours !== run.baseline && theirs !== run.baseline)))
    return [
      {
        where,
        what: 'names a pair that --family baseline does not compare',
        fix: 'Remove --family, or compare with the baseline.',
      },
    ]
  return word !== 'better' && margin === null
    ? [
        {
          where,
          what: 'needs a margin that is fixed before the run',
          fix: 'Add one, for example --margin 5.',
        },
      ]
    : []
}

const methodOf = (row: string) => row.split('@', 1)[0]
const setOf = (row: string) => row.slice((methodOf(row) ?? '').length)

/** Whether a condition holds, with the verdict of its pair. Without a comparison or a verdict the condition holds. */
export function evaluateVerdict(
  { word, a, b, negated }: VerdictCondition,
  comparison: Comparison | null,
): { holds: boolean; value: string } {
  const pair = comparison?.pairs.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a))
  if (!pair?.verdict) return { holds: true, value: `not known: ${pair?.outcome.refusal ?? 'no such pair'}` }
  return { holds: isVerdictTrue(word, a, pair) !== negated, value: pair.verdict.word }
}

function isVerdictTrue(word: VerdictCondition['word'], method: string, pair: PairComparison): boolean {
  const { verdict, notWorse, equivalent, outcome } = pair
  const better = verdict?.word === 'better' && verdict.method === method
  if (word === 'better') return better
  if (outcome.missing?.decides) return false
  return word === 'equivalent' ? equivalent.holds : better || notWorse[pair.a === method ? 'a' : 'b'].holds
}
