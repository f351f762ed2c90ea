import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import { type Grade, gradeOf, noScore } from './foreign-trial.ts'

const Score = z.looseObject({ value: z.unknown().optional() })

/** What a sample of Inspect AI says of its verdict. Old logs have one `score` without a name. */
export const Graded = z.object({
  scores: z.record(z.string(), Score).nullish(),
  score: Score.nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
  invalidation: z.looseObject({ reason: z.string().nullish() }).nullish(),
})
type Graded = z.infer<typeof Graded>

const Metrics = z.record(z.string(), z.looseObject({ value: z.number().nullish() }))

/** The results of a log: its scores, or the one of an old log. A scorer that gives several values has a score for each. */
export const Results = z.looseObject({
  scores: z
    .array(
      z.looseObject({
        name: z.string(),
        scorer: z.string().nullish(),
        reducer: z.string().nullish(),
        metrics: Metrics.optional(),
      }),
    )
    .optional(),
  scorer: z.looseObject({ name: z.string() }).nullish().catch(undefined),
  metrics: Metrics.nullish().catch(undefined),
})
type Results = z.infer<typeof Results>

/** Grades the samples of a log by one score: the one that the user names, as `SCORER`, `KEY` or `SCORER.KEY`, or else the log's first. */
export function createGrading(results: Results | null | undefined, wanted: string | undefined) {
  const { scorer, metrics = undefined } = results ?? {}
  const stated = results?.scores ?? (scorer ? [{ name: scorer.name, metrics: metrics ?? undefined }] : [])
  const [first] = stated
  let usual: string | null | undefined
  // A mean over scores is the rate of passed trials if each is 0 or 1; Inspect AI leaves out of it what has no score.
  let isRate = true

  function gradeOfScores({ scores, score }: Graded, where: string): Grade {
    const values = valuesOf(scores ?? (score ? { [first?.name ?? 'score']: score } : {}))
    const names = [...values].filter(([, value]) => !isObject(value)).map(([name]) => name)
    if (values.size === 0) return gradeOf(undefined)
    const [named] = values.keys()
    usual ??= first ? [first.name, first.scorer].find((name) => name && values.has(name)) : named
    const name = wanted === undefined ? usual : nameOf(wanted, names, values)
    if (wanted !== undefined && name === undefined) throw noScore(where, wanted, names)
    const choice = `${names.join(', ')}: choose one with --score`
    if (typeof name !== 'string' || !values.has(name))
      return { ...gradeOf(undefined), reason: `it has no score ${name ?? first?.name}, but ${choice}` }
    const grade = gradeOf(values.get(name))
    return isObject(values.get(name)) ? { ...grade, reason: `${grade.reason}, ${choice}` } : grade
  }

  function gradeOfSample(sample: Graded, where: string): Grade {
    const { error, invalidation } = sample
    if (error) return { state: 'error', reason: error.message, score: null }
    if (!invalidation) return gradeOfScores(sample, where)
    const why = invalidation.reason ? `: ${invalidation.reason}` : ''
    return { state: 'not graded', reason: `its log marks it as invalid${why}`, score: null }
  }

  return {
    /** Returns the grade of a sample. Throws `UserError` for one that has scores, but not that of the user. */
    grade(sample: Graded, where: string): Grade {
      const grade = gradeOfSample(sample, where)
      if (grade.score !== 0 && grade.score !== 1) isRate = false
      return grade
    },
    /** Returns the rate of passed trials that the log states; undefined if it states none, or a mean of something else. */
    rate(): number | undefined {
      const name = wanted ?? first?.name
      const own = stated.find(
        (one) =>
          (one.name === name || `${one.scorer}.${one.name}` === name) && (one.reducer ?? 'mean') === 'mean',
      )
      return isRate ? (own?.metrics?.accuracy?.value ?? undefined) : undefined
    },
  }
}

/** The values of scores, by their names; those of a score that has several also as `SCORER.KEY`. */
function valuesOf(scores: NonNullable<Graded['scores']>): Map<string, unknown> {
  return new Map(
    Object.entries(scores).flatMap(([name, { value }]): [string, unknown][] => [
      [name, value],
      ...(isObject(value)
        ? Object.entries(value).map(([key, part]): [string, unknown] => [`${name}.${key}`, part])
        : []),
    ]),
  )
}

/** Returns the name of the score that a user means, who may leave out the scorer where its key alone is clear. */
function nameOf(wanted: string, names: readonly string[], values: ReadonlyMap<string, unknown>) {
  if (values.has(wanted)) return wanted
  const ending = names.filter((name) => name.endsWith(`.${wanted}`))
  return ending.length === 1 ? ending[0] : undefined
}
