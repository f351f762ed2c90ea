import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import { type ForeignTrial, type Grade, gradeOf, noScore, noTokens } from './foreign-trial.ts'

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

/** What a model used, as Inspect AI writes it. */
export const Usage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  input_tokens_cache_read: z.number().nullish(),
  input_tokens_cache_write: z.number().nullish(),
  total_cost: z.number().nullish(),
})
type Usage = z.infer<typeof Usage>

/** Returns the sums over models. Some providers count cache reads and writes beside the input, as the total tells. */
export function tokensOf(all: readonly Usage[]): Pick<ForeignTrial, 'tokens' | 'costUsd'> {
  if (all.length === 0) return { tokens: noTokens, costUsd: null }
  const sum = (of: (one: Usage) => number | null | undefined) =>
    all.reduce<number | null>((total, one) => {
      const value = of(one)
      return total === null || typeof value !== 'number' ? null : total + value
    }, 0)
  const written = sum((one) => one.input_tokens_cache_write)
  return {
    tokens: {
      input: sum((one) =>
        typeof one.input_tokens === 'number' && isBeside(one)
          ? one.input_tokens + cacheOf(one)
          : one.input_tokens,
      ),
      output: sum((one) => one.output_tokens),
      cached: sum((one) => one.input_tokens_cache_read),
      ...(written !== null && { cacheWrite: written }),
    },
    costUsd: sum((one) => one.total_cost),
  }
}

const cacheOf = (one: Usage) => (one.input_tokens_cache_read ?? 0) + (one.input_tokens_cache_write ?? 0)

const isBeside = ({ input_tokens: input, output_tokens: output, total_tokens: total, ...one }: Usage) =>
  total === (input ?? 0) + (output ?? 0) + cacheOf(one)

const counts = [
  ...(['input_tokens', 'output_tokens', 'total_tokens'] as const),
  ...(['input_tokens_cache_read', 'input_tokens_cache_write', 'total_cost'] as const),
]

/** Returns what models used beside one role, such as the grader; undefined if nobody says which model had the role. */
export function withoutRole(
  usage: Readonly<Record<string, Usage>>,
  role: Usage | undefined,
  model: string | null,
): Record<string, Usage> | undefined {
  if (!role) return usage
  const names = Object.keys(usage)
  const name = names.find((one) => one === model) ?? (names.length === 1 ? names[0] : undefined)
  const whole = name === undefined ? undefined : usage[name]
  if (name === undefined || !whole) return undefined
  const { [name]: _, ...others } = usage
  const left: Usage = Object.fromEntries(
    counts.map((count) => [count, difference(whole[count], role[count])]),
  )
  return left.input_tokens || left.output_tokens ? { ...others, [name]: left } : others
}

const difference = (whole: number | null | undefined, part: number | null | undefined) =>
  typeof whole === 'number' && typeof part === 'number' ? Math.max(0, whole - part) : whole
