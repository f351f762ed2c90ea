import { UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { withNear } from '../text/near-word.ts'
import type { ForeignTrial } from './foreign-trial.ts'

/** What a verdict of a source says. */
export type Grade = Pick<ForeignTrial, 'state' | 'reason' | 'score'>

/** Words for verdicts, as in Inspect AI: correct, incorrect, partial, no answer; and as in tables. */
const verdictWords: Readonly<Record<string, number>> = {
  ...{ c: 1, i: 0, p: 0.5, n: 0 },
  ...{
    true: 1,
    false: 0,
    t: 1,
    f: 0,
    yes: 1,
    no: 0,
    y: 1,
    ok: 1,
    '✓': 1,
    '✔': 1,
    '✅': 1,
    '✗': 0,
    '✘': 0,
    '❌': 0,
  },
  ...{ pass: 1, fail: 0, passed: 1, failed: 0 },
  ...{ correct: 1, incorrect: 0, resolved: 1, unresolved: 0, success: 1, failure: 0 },
}

/** Returns what a value of a source says: only a whole score is passed; no value, or one that is no share, is not graded. */
export function gradeOf(value: unknown): Grade {
  const score = scoreOf(value)
  if (score === undefined) return { state: 'not graded', reason: missingReason(value), score: null }
  return {
    state: score >= 1 ? 'passed' : 'failed',
    reason: score > 0 && score < 1 ? `the score is ${score}` : '',
    score,
  }
}

function scoreOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') {
    const known = verdictWords[value.trim().toLowerCase()]
    return known ?? (value.trim() === '' ? undefined : scoreOf(Number(value)))
  }
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined
}

function missingReason(value: unknown): string {
  if (value === undefined || value === null || value === '' || Number.isNaN(value)) return ''
  if (isObject(value) || Array.isArray(value)) return 'the verdict has several values'
  return `the verdict ${JSON.stringify(value)} is no share of 1`
}

/** Returns the error for a score that the user names and a trial does not have. */
export const noScore = (where: string, score: string, names: readonly string[]): UserError =>
  new UserError({
    where: `${where} --score ${score}`,
    what: 'names a score that this trial does not have',
    fix: withNear(score, names, `Its scores: ${names.join(', ')}.`),
  })
