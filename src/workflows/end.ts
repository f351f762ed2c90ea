import type { StrategyContext, StrategyResult } from '../strategy.ts'

/**
 * Returns the result as every built-in method returns it. If nothing would be handed in, the method claims `halted` instead,
 * whatever its roles were satisfied with, and `detail` keeps the reason; except where a person cancelled it. End with it, so that claims can be compared:
 * `return endWith(context, { answer, stopReason: 'done' })`.
 */
export function endWith(
  { delivers }: Pick<StrategyContext<string, unknown>, 'delivers'>,
  result: StrategyResult,
): StrategyResult {
  if (result.stopReason === 'cancelled' || delivers(result.answer)) return result
  const { detail } = result
  return { ...result, stopReason: 'halted', detail: `${nothing}${detail ? `; ${detail}` : ''}` }
}

const nothing = 'nothing was handed in'
