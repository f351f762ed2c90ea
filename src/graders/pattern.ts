import { boundedMatch } from '../replies/bounded-match.ts'
import type { Grader } from './grader.ts'
import { binaryScore, emptyAnswerScore } from './grader.ts'

/** Passes if the answer matches every required expression and none of the forbidden ones. */
export const pattern: Grader<'pattern'> = ({ spec, answer }) => {
  if (!answer?.trim()) return emptyAnswerScore(spec.name)
  const found = [...spec.require, ...spec.forbid].map((source) => boundedMatch(answer, source, spec.flags))
  const required = found.slice(0, spec.require.length)
  const forbidden = found.slice(spec.require.length)
  const endless = [...spec.require, ...spec.forbid].filter((_, i) => found[i] === 'too-long')
  const missing = spec.require.filter((_, i) => required[i] === null)
  const present = spec.forbid.filter((_, i) => Array.isArray(forbidden[i]))
  const faults = [
    ...endless.map((source) => `is more than /${source}/ gets through in time`),
    ...missing.map((source) => `does not match /${source}/`),
    ...present.map((source) => `matches /${source}/, which it must not`),
  ]
  return binaryScore(spec.name, faults.length === 0, faults.join('; ') || 'matches all that is required')
}
