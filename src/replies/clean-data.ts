import type { Redactor } from '../text/redact.ts'
import { wellFormed } from './well-formed.ts'

/** Returns the function through which plain data enters a trial: its texts become well-formed, and secrets are removed from them. */
export function dataCleaner(redact: Redactor | undefined): <Value>(value: Value) => Value {
  return redact ? (value) => redact.data(wellFormed(value)) : wellFormed
}
