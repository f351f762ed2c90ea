import type { MethodSummary, Summary } from '../analysis/summary.ts'
import { type Problem, UserError } from '../errors.ts'

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

/** Reads what stands after `--fail-if`. Throws `UserError` with all that is wrong. */
export function parseConditions(text: string | undefined): Condition[] {
  if (text === undefined) return []
  const problems: Problem[] = []
  const conditions = text.split(/,(?![^[\]]*\])/).flatMap((part) => {
    const match = /^\s*(.+)\.(\w+)\s*(<=|>=|<|>)\s*([\d.eE+-]+)\s*$/.exec(part)
    const [, method = '', metric = '', test = '', bound = ''] = match ?? []
    if (!match || !metrics[metric] || !Number.isFinite(Number(bound))) {
      problems.push({
        where: `--fail-if ${part.trim()}`,
        what: match && !metrics[metric] ? `there is no metric "${metric}"` : 'is not METHOD.metric<number',
        fix: `Metrics: ${Object.keys(metrics).join(', ')}; write for example sequential.success<0.8, or *.missing>0 for every method.`,
      })
      return []
    }
    return [{ text: part.trim(), method, metric, test, bound: Number(bound) }]
  })
  if (problems.length > 0) throw new UserError(problems)
  return conditions
}

/** Conditions that hold, with the value that they hold for. A value that is not known cannot be vouched for, so its condition holds. */
export function failedConditions(
  conditions: readonly Condition[],
  summary: Summary,
): { text: string; value: string }[] {
  return conditions.flatMap(({ text, method, metric, test, bound }) => {
    const rows = summary.methods.filter((row) => method === '*' || row.method === method)
    if (rows.length === 0)
      throw new UserError({
        where: `--fail-if ${text}`,
        what: `no method of this run is labelled "${method}"`,
        fix: `Its methods: ${summary.methods.map((row) => row.method).join(', ')}.`,
      })
    return rows.flatMap((row) => {
      const value = metrics[metric]?.(row) ?? null
      if (value === null) return [{ text, value: `not known for ${row.method}` }]
      return tests[test]?.(value, bound) ? [{ text, value: `${value} for ${row.method}` }] : []
    })
  })
}
