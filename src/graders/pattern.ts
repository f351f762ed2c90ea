import type { Grader } from './grader.ts'
import { nothingLeft, verdict } from './scores.ts'

/** The whole answer matches every required expression and none of the forbidden. */
export const pattern: Grader<'pattern'> = ({ spec, answer }) => {
  if (!answer?.trim()) return nothingLeft(spec.name)
  const matches = (source: string) => new RegExp(source, spec.flags.replace(/[gy]/g, '')).test(answer)
  const missing = spec.require.filter((source) => !matches(source))
  const present = spec.forbid.filter(matches)
  const faults = [
    ...missing.map((source) => `does not match /${source}/`),
    ...present.map((source) => `matches /${source}/, which it must not`),
  ]
  return verdict(spec.name, faults.length === 0, faults.join('; ') || 'matches all that is required')
}
