import type { CriterionScores } from '../../analysis/agreement/agreement.ts'
import type { ContextHealth } from '../../analysis/machine/context-health.ts'
import { formatCount, nothing, unknown } from '../words/numbers.ts'

/** Returns counts such as `done 3, halted 1`; `nothing` without any. */
export function countsText(counts: Readonly<Record<string, number>>, nothing: string): string {
  const texts = Object.entries(counts).map(([name, count]) => `${name} ${formatCount(count)}`)
  return texts.join(', ') || nothing
}

/** Returns the agreement of auditors, such as `0.82`, or why it has no value. */
export function alphaText({ alpha, because }: Pick<CriterionScores, 'alpha' | 'because'>): string {
  if (alpha !== null) return alpha.toFixed(2)
  return because === 'no-variation' ? 'all scores equal' : 'one auditor each'
}

const levelTexts: Record<ContextHealth['level'], string> = {
  healthy: 'healthy',
  moderate: 'above 60%',
  filling: 'above 80%',
  critical: 'above 90%',
  unknown,
}

/** Returns the level of a context window: `healthy`, `above 60%`, … */
export const levelText = ({ level }: Pick<ContextHealth, 'level'>): string => levelTexts[level]

/** Returns the window in tokens with the source of the number. */
export function windowText(window: number | null, source: 'setting' | 'table' | null): string {
  if (window === null) return unknown
  return `${formatCount(window)} (${source === 'setting' ? 'set' : 'price table'})`
}

/** Returns the share of the window that is in use, in percent. */
export const percentText = ({ percent }: Pick<ContextHealth, 'percent'>): string =>
  percent === null ? nothing : percent.toFixed(1)
