import { digest } from '../../text/canonical-json.ts'

const versionDigits = 8
const version = /@[0-9a-f]{8}$/

/**
 * Returns the name of a task in a run whose plan was changed: its ref, and `ref@VERSION` once the task, or an agent or a method
 * of the run, is not as it was when the run started. `others` holds the digests of agents and methods that have changed.
 */
export function nameTaskVersion(
  ref: string,
  { first, now, others }: { first: string; now: string; others: readonly string[] },
): string {
  if (first === now && others.length === 0) return ref
  const whole = others.length === 0 ? now : digest([now, ...others])
  return `${ref}@${whole.slice(0, versionDigits)}`
}

/** Returns the ref of a task, given its name in a run. The ids of tasks hold no `@`. */
export const refOfVersion = (name: string): string => name.replace(version, '')
