import type { RawMap } from '../../../yaml/raw.ts'
import type { FieldProblem } from '../../../yaml/schema-problems.ts'
import type { Beside } from './surroundings.ts'

/**
 * Returns the mistakes of a machine that its schema cannot see. It need not have passed the schema: whatever has a wrong type is
 * passed over, and so is what depends on it.
 */
export function checkMachine(_machine: RawMap, _beside: Beside): FieldProblem[] {
  return []
}
