import type { MachineRecord } from '../../../../schema/machine/machine-record.ts'

/**
 * Returns the scores so far, a line for each gate and each criterion of a target, in order of time, with their trend. Scores of
 * one visit are averaged over the auditors. Only outputs in `exist` are named: whoever lost its output is mentioned to nobody.
 */
export function scoreHistory(
  { gates, scores }: Pick<MachineRecord, 'gates' | 'scores'>,
  exist: readonly string[],
): string[] {
  const lines = new Map<string, Map<number, number[]>>()
  const add = (name: string, visit: number, score: number) => {
    const line = lines.get(name) ?? new Map<number, number[]>()
    line.set(visit, [...(line.get(visit) ?? []), score])
    lines.set(name, line)
  }
  for (const { state, visit, quality_score } of gates) add(`${state}: quality`, visit, quality_score)
  for (const { state, visit, target, criterion, score } of scores)
    if (exist.includes(target)) add(`${state}: ${criterion} of ${target}`, visit, score)
  return [...lines].map(([name, visits]) => {
    const means = [...visits.values()].map((all) =>
      Number((all.reduce((sum, one) => sum + one, 0) / all.length).toFixed(1)),
    )
    return `${name} ${means.join(', ')}${trendOf(means)}`
  })
}

function trendOf(means: readonly number[]): string {
  const [before, last] = means.slice(-2)
  if (before === undefined || last === undefined) return ''
  return last > before ? ' (improving)' : last < before ? ' (falling)' : ' (plateaued)'
}
