import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { ComparisonPlan } from '../../schema/run/comparison-plan.ts'
import type { Problem } from '../../text/errors.ts'

const words = ['better', 'notWorse', 'equivalent'] as const

/** A condition over a pair: `better(A, B)`, or with `!` before it that it is not so. */
export interface VerdictCondition {
  kind: 'verdict'
  text: string
  word: (typeof words)[number]
  a: string
  b: string
  negated: boolean
}

/** Reads `better(A, B)` and its like; undefined where the text is none such. */
export function parseVerdictCondition(text: string): VerdictCondition | undefined {
  const match = /^\s*(!?)\s*(\w+)\(\s*([^()]+?)\s*,\s*([^(),]+?(?:\[[^\]]*\])?)\s*\)\s*$/.exec(text)
  const [, negation = '', name = '', a = '', b = ''] = match ?? []
  const word = words.find((known) => known === name)
  return word && { kind: 'verdict', text: text.trim(), word, a, b, negated: negation === '!' }
}

/** Why a run can never answer this condition, told before it begins. */
export function verdictProblems(
  { text, word, a, b }: VerdictCondition,
  run: { simulated: boolean; comparison: ComparisonPlan; baseline: string | null },
): Problem[] {
  const where = `--fail-if ${text}`
  const { family, margin, calibration } = run.comparison
  if (run.simulated && !calibration)
    return [
      {
        where,
        what: 'asks for a verdict on simulated numbers: it would judge the profile, not the methods',
        fix: `Ask for what a dev run can show, for example *.missing>0; ${word}() needs --mode live.`,
      },
    ]
  if (a === b) return [{ where, what: 'compares a method with itself', fix: 'Name two methods.' }]
  const [ours, theirs] = [methodOf(a), methodOf(b)]
  if (ours !== theirs && setOf(a) !== setOf(b))
    return [
      {
        where,
        what: 'names two methods with two sets of agents, which no report compares',
        fix: 'Name two methods with the same agents, or one method with two.',
      },
    ]
  if (family === 'baseline' && (ours === theirs || (ours !== run.baseline && theirs !== run.baseline)))
    return [
      {
        where,
        what: 'names a pair that --family baseline leaves out',
        fix: 'Leave --family out, or compare with the baseline.',
      },
    ]
  return word !== 'better' && margin === null
    ? [{ where, what: 'needs a margin that was fixed beforehand', fix: 'Give one: --margin 5.' }]
    : []
}

const methodOf = (row: string) => row.split('@', 1)[0]
const setOf = (row: string) => row.slice((methodOf(row) ?? '').length)

/** Whether a condition holds, with what is known of its pair; null: nothing is, which cannot be vouched for. */
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
