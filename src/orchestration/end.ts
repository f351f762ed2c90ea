import type { StrategyContext, StrategyResult } from '../strategy.ts'

/**
 * How a built-in method ends. With nothing handed in nothing was done, whoever was satisfied with it: the method halted, and
 * `detail` keeps why it stopped.
 */
export function endWith(
  { delivers }: Pick<StrategyContext<string, unknown>, 'delivers'>,
  result: StrategyResult,
): StrategyResult {
  if (delivers(result.answer)) return result
  const { detail } = result
  return { ...result, stopReason: 'halted', detail: `${nothing}${detail ? `; ${detail}` : ''}` }
}

const nothing = 'nothing was handed in'
