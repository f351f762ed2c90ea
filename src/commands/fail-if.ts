import type { MethodSummary, Summary } from '../analysis/summary.ts'
import type { Problem } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'

const metrics: Record<string, (row: MethodSummary) => number | null> = {
  success: (row) => row.success.estimate,
  score: (row) => row.score,
  tokens: (row) => row.tokens.total.value,
  costUsd: (row) => row.cost.perTrial.value,
  totalCostUsd: (row) => row.cost.total.value,
  missing: (row) => row.trials.error + row.trials.cancelled,
  passed: (row) => row.trials.passed,
}

const tests: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

/** One condition of `--fail-if`: `METHOD.metric<number`; `*` stands for every method. */
export interface Condition {
  text: string
  method: string
  metric: string
  test: string
  bound: number
}

/** Reads what stands after `--fail-if`; adds all that is wrong to `problems`. */
export function parseConditions(text: string | undefined, problems: Problem[]): Condition[] {
  if (text === undefined) return []
  return text.split(/,(?![^[\]]*\])/).flatMap((part) => {
    const match = /^\s*(.+)\.(\w+)\s*(<=|>=|<|>)\s*([\d.eE+-]+)\s*$/.exec(part)
    const [, method = '', metric = '', test = '', bound = ''] = match ?? []
    const known = Object.hasOwn(metrics, metric)
    if (!match || !known || !Number.isFinite(Number(bound))) {
      problems.push({
        where: `--fail-if ${part.trim()}`,
        what: match && !known ? `there is no metric "${metric}"` : 'is not METHOD.metric<number',
        fix: `Metrics: ${Object.keys(metrics).join(', ')}; write for example sequential.success<0.8, or *.missing>0 for every method.`,
      })
      return []
    }
    return [{ text: part.trim(), method, metric, test, bound: Number(bound) }]
  })
}

/** Conditions about methods that the run has not. */
export function conditionProblems(conditions: readonly Condition[], labels: readonly string[]): Problem[] {
  return conditions
    .filter(({ method }) => method !== '*' && !labels.includes(method))
    .map(({ text, method }) =>
      unknownName(`--fail-if ${text}`, 'method of this run', method, labels, '--methods'),
    )
}

/** Conditions that hold, with the value that they hold for. A value that is not known cannot be vouched for, so its condition holds. */
export function failedConditions(
  conditions: readonly Condition[],
  summary: Summary,
): { text: string; value: string }[] {
  return conditions.flatMap(({ text, method, metric, test, bound }) => {
    const rows = summary.methods.filter((row) => method === '*' || row.method === method)
    return rows.flatMap((row) => {
      const value = metrics[metric]?.(row) ?? null
      if (value === null) return [{ text, value: `not known for ${row.method}` }]
      return tests[test]?.(value, bound) ? [{ text, value: `${value} for ${row.method}` }] : []
    })
  })
}
