import { z } from 'zod'
import type { GraderSpec, RubricScale } from '../../schema/grader-spec.ts'

type RubricSpec = Extract<GraderSpec, { kind: 'rubric' }>

/** What a judge says of one criterion. */
type Said = string | number

/** The verdict of a judge: for each criterion a reason, and then what it says. */
export type Verdict = Readonly<Record<string, { reason: string; verdict: Said }>>

const said: Readonly<Record<RubricScale, z.ZodType<Said>>> = {
  'yes-no': z.enum(['yes', 'no']),
  '1-5': z.int().min(1).max(5),
  '0-1': z.number().min(0).max(1),
  compare: z.enum(['A', 'B', 'tie']),
}

/** Whether a vote has the criteria in the other order and, with `compare`, the answer as the second text. Votes are counted from 0. */
export const isSwapped = (vote: number) => vote % 2 === 1

/** Returns the shape of a verdict, with the criteria in the order of the vote. */
export function verdictShape({ criteria, scale }: RubricSpec, vote: number): z.ZodType<Verdict> {
  const ordered = isSwapped(vote) ? [...criteria].reverse() : criteria
  const criterion = z.strictObject({ reason: z.string(), verdict: said[scale] })
  return z.strictObject(Object.fromEntries(ordered.map(({ name }) => [name, criterion])))
}

/** Returns the scores that a verdict gives, by criterion, each from 0 to 1. */
export function scoresOf(
  { criteria, scale }: RubricSpec,
  verdict: Verdict,
  vote: number,
): Record<string, number> {
  return Object.fromEntries(
    criteria.map(({ name }) => [name, scoreOf(scale, verdict[name]?.verdict ?? '', isSwapped(vote))]),
  )
}

function scoreOf(scale: RubricScale, verdict: Said, swapped: boolean): number {
  switch (scale) {
    case 'yes-no':
      return verdict === 'yes' ? 1 : 0
    case '1-5':
      return (Number(verdict) - 1) / 4
    case '0-1':
      return Number(verdict)
    case 'compare':
      return verdict === 'tie' ? 0.5 : verdict === (swapped ? 'B' : 'A') ? 1 : 0
  }
}

/** Returns a judge's score: the mean of its votes by criterion, weighted by the criteria. */
export function judgeValue(
  { criteria }: RubricSpec,
  votes: Readonly<Record<string, readonly number[]>>,
): number {
  const weights = criteria.reduce((sum, { weight }) => sum + weight, 0)
  const total = criteria.reduce((sum, { name, weight }) => sum + weight * meanOf(votes[name] ?? []), 0)
  return rounded(total / weights)
}

/** Returns the mean of some numbers. */
export const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Rounds away what the order of a sum leaves in the last digits. */
export const rounded = (value: number) => Math.round(value * 1e9) / 1e9
