import { type Refusal, refusals } from '../../analysis/refusal.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import { unknown } from '../words/numbers.ts'

/** Formats a p-value: `0.034`, `< 0.001`; never 0. */
export function formatP(p: number): string {
  if (p < 0.001) return '< 0.001'
  return p > 0.9994 ? '1' : p.toFixed(3)
}

/** Returns the reason for a missing number in a few words for a cell; a note below the table has the sentence. */
export function formatRefusal(refusal: Refusal | null): string {
  return refusal === null ? unknown : (short[refusal] ?? 'none')
}

/** Returns the reason as a sentence. */
export const refusalText = (refusal: Refusal): string => refusals[refusal]

const short: Partial<Record<Refusal, string>> = {
  'no-task': 'no task has it',
  'one-task': 'one task',
  'too-few-tasks': 'too few tasks',
  'few-for-limits': 'too few for limits',
  'one-epoch': 'one epoch',
  'no-spread': 'all the same',
  'not-separated': 'none separated',
  'zero-baseline': 'no ratio',
  'not-positive': 'has a zero',
  'no-success': 'nothing solved',
  'unreported-cost': 'cost unknown',
  'unclear-denominator': 'unbounded',
  'same-rates': 'the same rates',
  'not-yet': 'not yet',
  simulated: 'simulated',
  looked: 'void: looked',
  unfinished: 'void: unfinished',
  'stop-rule': 'none by this rule',
  'not-in-family': 'not in the family',
}

/** Returns the decimals that show two digits of a standard error: one to four; one without a standard error. */
export function decimalsFor(se: number | null): number {
  if (se === null || se <= 0) return 1
  return Math.min(4, Math.max(1, 1 - Math.floor(Math.log10(se))))
}

/** Formats an estimate times `scale` with its sign, and its limits rounded outward if there are any: `+52.2 [+24.1, +70.5]`. */
export function formatDifference(
  { estimate, lower, upper }: Interval,
  { scale, decimals }: { scale: number; decimals: number },
): string {
  if (estimate === null) return unknown
  const centre = signed(scale * estimate, decimals)
  if (lower === null || upper === null) return centre
  return `${centre} [${signed(outward(scale * lower, decimals, Math.floor), decimals)}, ${signed(outward(scale * upper, decimals, Math.ceil), decimals)}]`
}

/** Appends the reason to an estimate without limits: `-52.2 (one task)`. */
export function appendReason(
  text: string,
  { lower, upper }: Omit<Interval, 'estimate'>,
  refusal: Refusal | null,
) {
  const isBare = lower === null && upper === null && refusal !== null && text !== unknown
  return isBare ? `${text} (${formatRefusal(refusal)})` : text
}

/** Appends `(one task)` to a difference over a single task. */
export const appendOneTask = (text: string, nTasks: number): string =>
  appendReason(text, { lower: null, upper: null }, nTasks === 1 ? 'one-task' : null)

/** Formats percent saved: `41.0 [12.4, 60.0]`; a side without a limit is `no limit`. */
export function formatSaved({
  saved,
  lower,
  upper,
}: {
  saved: number | null
  lower: number | null
  upper: number | null
}): string {
  if (saved === null) return unknown
  const centre = plain(saved, 1)
  if (lower === null && upper === null) return centre
  const low = lower === null ? 'no limit' : plain(outward(lower, 1, Math.floor), 1)
  const high = upper === null ? 'no limit' : plain(outward(upper, 1, Math.ceil), 1)
  return `${centre} [${low}, ${high}]`
}

// The slack absorbs floating-point error, so that a limit is not rounded one step too far.
function outward(value: number, decimals: number, round: (value: number) => number): number {
  const factor = 10 ** decimals
  const slack = round === Math.floor ? 1e-9 : -1e-9
  return round(value * factor + slack) / factor
}

function signed(value: number, decimals: number): string {
  const text = plain(value, decimals)
  return Number(text) > 0 ? `+${text}` : text
}

function plain(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? (0).toFixed(decimals) : text
}
