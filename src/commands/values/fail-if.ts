import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { Amount, MethodSummary, Summary } from '../../analysis/summary.ts'
import { findLabel } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { FailedCondition } from '../../reports/formats/markdown.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { ComparisonPlan } from '../../schema/run/comparison-plan.ts'
import type { Problem } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { parseDecimal } from './parse-values.ts'
import {
  evaluateVerdict,
  parseVerdictCondition,
  type VerdictCondition,
  verdictProblems,
} from './verdict-conditions.ts'

const metrics: Record<string, (row: MethodSummary) => number | null | Amount> = {
  success: (row) => row.success.estimate,
  score: (row) => row.score,
  tokens: (row) => row.tokens.total,
  costUsd: (row) => row.cost.perTrial,
  totalCostUsd: (row) => row.cost.total,
  costPerSuccess: ({ costPerSuccess: { kind, estimate } }) => ({
    value: estimate,
    lowerBound: kind === 'at-least',
  }),
  calls: (row) => row.calls,
  checks: (row) => row.checks,
  iterations: (row) => row.iterations,
  missing: (row) => row.trials.error + row.trials.cancelled,
  passed: (row) => row.trials.passed,
  completed: (row) => row.outcomes.completed,
  limited: (row) => row.outcomes.limited,
  failed: (row) => row.outcomes.failed,
  errors: (row) => row.outcomes.error,
}

const comparators: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

/** `METHOD.metric<number` or `metric(METHOD)<number`. `*` is every method; a method without `@` is that method with all its agents. */
interface MetricCondition {
  kind: 'metric'
  text: string
  method: string
  metric: string
  test: string
  bound: number
}

/** One condition of `--fail-if`. */
export type Condition = MetricCondition | VerdictCondition

/** Parses the value of `--fail-if`. Adds all its mistakes to `problems`. */
export function parseConditions(text: string | undefined, problems: Problem[]): Condition[] {
  if (text === undefined) return []
  return text.split(/,(?![^[\]]*\])(?![^()]*\))/).flatMap((part): Condition[] => {
    const verdict = parseVerdictCondition(part)
    if (verdict) return [verdict]
    const match =
      /^\s*(?<method>.+)\.(?<metric>\w+)\s*(?<test><=|>=|<|>)\s*(?<bound>[\d.eE+-]+)\s*$/.exec(part) ??
      /^\s*(?<metric>\w+)\(\s*(?<method>.+?)\s*\)\s*(?<test><=|>=|<|>)\s*(?<bound>[\d.eE+-]+)\s*$/.exec(part)
    const { method = '', metric = '', test = '', bound = '' } = match?.groups ?? {}
    const known = Object.hasOwn(metrics, metric)
    if (!match || !known || !Number.isFinite(parseDecimal(bound))) {
      problems.push({
        where: `--fail-if ${part.trim()}`,
        what:
          match && !known
            ? `there is no metric "${metric}"`
            : 'is not METHOD.metric<number, metric(METHOD)<number or better(A, B)',
        fix: withNear(
          known ? '' : metric || part.split('(')[0] || '',
          [...Object.keys(metrics), 'better', 'notWorse', 'equivalent'],
          `Metrics: ${Object.keys(metrics).join(', ')}. Write for example sequential.success<0.8, *.missing>0 for every method, or better(baseline, sequential). Verdicts: better, notWorse, equivalent; ! negates them.`,
        ),
      })
      return []
    }
    return [{ kind: 'metric', text: part.trim(), method, metric, test, bound: parseDecimal(bound) }]
  })
}

/** The facts of a run that its conditions depend on. */
interface ConditionedRun {
  /** Methods as tables name them, with their agents if there are several sets. */
  labels: readonly string[]
  simulated: boolean
  comparison: ComparisonPlan
  baseline: string | null
}

/** Returns a problem for each condition that the run cannot answer: an unknown method, or a verdict that it does not give. */
export function conditionProblems(conditions: readonly Condition[], run: ConditionedRun): Problem[] {
  return withLabels(conditions, run.labels).flatMap((condition) => {
    const { text } = condition
    const methods = condition.kind === 'verdict' ? [condition.a, condition.b] : [condition.method]
    const unknown = methods.filter(
      (method) => !run.labels.some((name) => matchesRow(condition.kind, method, name)),
    )
    if (unknown.length > 0)
      return unknown.map((method) =>
        unknownName(`--fail-if ${text}`, 'method of this run', method, run.labels, '--methods'),
      )
    return condition.kind === 'verdict' ? verdictProblems(condition, run) : []
  })
}

/** Returns the conditions with the labels of the methods that they name. `rows` are methods, with their agents if there are several sets. */
function withLabels(conditions: readonly Condition[], rows: readonly string[]): Condition[] {
  const labels = [...new Set(rows.flatMap((row) => [row, withoutSet(row)]))]
  const labelOf = (text: string) => findLabel(text, labels) ?? text
  return conditions.map((condition) =>
    condition.kind === 'verdict'
      ? { ...condition, a: labelOf(condition.a), b: labelOf(condition.b) }
      : { ...condition, method: labelOf(condition.method) },
  )
}

/** Returns the method of a row. An `@` in its brackets is part of an option. */
const withoutSet = (row: string) => row.replace(/@[^\]]*$/, '')

/** Whether a method in a condition means this row. A verdict names exactly one row for each method. */
function matchesRow(kind: Condition['kind'], text: string, row: string): boolean {
  if (text === row) return true
  if (kind === 'verdict') return false
  const method = withoutSet(row)
  return text === '*' || text === method || text === `*${row.slice(method.length)}`
}

/** Returns the conditions that hold, each with the value for which it holds. A condition on an unknown value holds. */
export function evaluateConditions(
  conditions: readonly Condition[],
  summary: Summary,
  comparison: Comparison | null,
): FailedCondition[] {
  const labels = summary.methods.map(({ method, set }) => rowName(method, set))
  return withLabels(conditions, labels).flatMap((condition) => {
    const { text } = condition
    if (condition.kind === 'verdict') {
      const { holds, value } = evaluateVerdict(condition, comparison)
      return holds ? [{ text, value }] : []
    }
    const { method, metric, test, bound } = condition
    const rows = summary.methods.filter((row) => matchesRow('metric', method, rowName(row.method, row.set)))
    return rows.flatMap((row) => {
      const of = rowName(row.method, row.set)
      const { value, lowerBound } = amountOf(metrics[metric]?.(row) ?? null)
      if (value === null) return [{ text, value: `not known for ${of}` }]
      const holds = comparators[test]?.(value, bound)
      // The true number is at least `value`, so it may lie above the bound.
      const isOpen = lowerBound && holds === test.startsWith('<')
      if (isOpen) return [{ text, value: `not known, but at least ${roundDigits(value)} for ${of}` }]
      return holds ? [{ text, value: `${lowerBound ? 'at least ' : ''}${roundDigits(value)} for ${of}` }] : []
    })
  })
}

/** Drops the last digits, in which floating-point sums differ. */
const roundDigits = (value: number) => Number(value.toPrecision(12))

const amountOf = (value: number | null | Amount): Amount =>
  typeof value === 'object' && value !== null ? value : { value, lowerBound: false }
