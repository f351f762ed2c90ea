/**
 * Returns the arguments of a call as an object, since vendors take nothing else back. Text that is no JSON object is under the
 * key `INVALID_JSON`, as Anthropic recommends, so that the model sees what it wrote.
 */
export function callInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // The tool's step says that the arguments are invalid.
  }
  return { INVALID_JSON: text }
}
