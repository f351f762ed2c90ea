/** More levels than any tool needs. What walks through a value, as JSON does, would use up its stack far behind them. */
const deepest = 100

/**
 * Returns the arguments of a call as an object, since vendors take nothing else back. Text that is no JSON object is under the
 * key `INVALID_JSON`, as Anthropic recommends, so that the model sees what it wrote.
 */
export function callInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isDeeper(value, deepest))
      return value as Record<string, unknown>
  } catch {
    // The tool's step says that the arguments are invalid.
  }
  return { INVALID_JSON: text }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))
