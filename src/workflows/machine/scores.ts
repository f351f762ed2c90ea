import { z } from 'zod'

/** A score that an auditor gave. */
export interface Score {
  target: string
  criterion: string
  score: number
}

/** Returns the shape of a list of scores: each criterion for each target, once. */
export function scoresShape(targets: readonly string[], criteria: readonly string[]) {
  const entry = z.object({
    target: z.enum(targets),
    criterion: z.enum(criteria),
    score: z.number().min(1).max(10),
  })
  return z.array(entry).superRefine((scores, context) => {
    const given = scores.map(({ target, criterion }) => `${criterion} of ${target}`)
    const wanted = targets.flatMap((target) => criteria.map((criterion) => `${criterion} of ${target}`))
    const missing = wanted.filter((pair) => !given.includes(pair))
    const twice = [...new Set(given.filter((pair, place) => given.indexOf(pair) !== place))]
    if (missing.length > 0) context.addIssue(`has no score for ${missing.join(', ')}`)
    if (twice.length > 0) context.addIssue(`has several scores for ${twice.join(', ')}`)
  })
}

/** Returns the words that ask for scores. */
export const scoresWords = (targets: readonly string[], criteria: readonly string[]): string =>
  `Score ${targets.join(', ')} by ${criteria.join(', ')}, each from 1 (worst) to 10 (best). Give every criterion for every one of them, once. Write your review in \`text\`.`

/** Returns a review with its scores under it. */
export const scoredText = (review: string, scores: readonly Score[]): string =>
  [review.trimEnd(), ...(scores.length > 0 ? [scoresTable(scores)] : [])].filter(Boolean).join('\n\n')

/** Returns scores as a Markdown table: a line for each target. */
function scoresTable(scores: readonly Score[]): string {
  const criteria = [...new Set(scores.map(({ criterion }) => criterion))]
  const targets = [...new Set(scores.map(({ target }) => target))]
  const cell = (target: string, criterion: string) =>
    scores.find((one) => one.target === target && one.criterion === criterion)?.score ?? ''
  return [
    `| target | ${criteria.join(' | ')} |`,
    `| --- |${criteria.map(() => ' ---: |').join('')}`,
    ...targets.map((target) => `| ${target} | ${criteria.map((one) => cell(target, one)).join(' | ')} |`),
  ].join('\n')
}
