import { z } from 'zod'
import { unknownName } from '../../loop/plan/method-spec.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { knownFields } from '../../yaml/schema-fields.ts'
import type { RunRequest } from './run-request.ts'

const word = z.string('wants a text')
const number = z.number('wants a number')
const flag = z.boolean('wants true or false')
const words = z.array(word, 'wants an array of texts').readonly()
const wordOrWords = z.union([z.string(), z.array(z.string()).readonly()], 'wants a text or an array of texts')
const choice = <const Word extends string>(allowed: readonly Word[]) =>
  z.enum(allowed, `wants ${allowed.map((word) => `'${word}'`).join(' or ')}`)
const wantsObject = 'wants an object'

const givenLimits = z.strictObject(
  { calls: number.nullish(), tokens: number.nullish(), costUsd: number.nullish(), timeMs: number.nullish() },
  wantsObject,
)

/** Its type stands by itself: types made of a schema lose what there is to say of each field. */
const shape = z
  .strictObject(
    {
      tasks: wordOrWords,
      methods: wordOrWords,
      agents: word,
      agentByRole: z.record(z.string(), word, wantsObject).readonly(),
      mode: choice(['dev', 'live']),
      profile: word,
      prices: word,
      epochs: number,
      seed: number,
      parallel: number,
      limits: z
        .strictObject(
          { calls: number.nullable(), checks: number, tokens: number, costUsd: number, timeMs: number },
          wantsObject,
        )
        .partial(),
      runLimits: givenLimits,
      methodLimits: z.record(z.string(), givenLimits, wantsObject).readonly(),
      retries: number,
      inject: words,
      baseline: word,
      family: choice(['all', 'baseline']),
      outcome: choice(['success', 'score']),
      margin: number,
      stopWhen: word,
      calibration: flag,
      failIf: wordOrWords,
      approve: choice(['yes', 'abort']),
      sandbox: word,
      allowUnsandboxed: flag,
      gradeCandidates: flag,
      matchBudget: word,
      out: word,
      resume: word,
      retryErrors: flag,
      takeOver: flag,
      repair: flag,
      trustCode: flag,
      keepGoing: flag,
      endBlocked: number,
      config: word,
      instruction: word,
      workspace: word,
      include: words,
      yes: flag,
      secrets: words,
      signal: z.instanceof(AbortSignal, { error: 'wants an AbortSignal' }),
      onEvent: z.custom<NonNullable<RunRequest['onEvent']>>(
        (given) => typeof given === 'function',
        'wants a function',
      ),
    } satisfies { [Field in keyof RunRequest]-?: z.ZodType<NonNullable<RunRequest[Field]>> },
    wantsObject,
  )
  .partial()

/**
 * Throws `UserError` with every field that there is not or that is of another type: a misspelt one would otherwise be a setting that
 * silently is not made.
 */
export function validateRequest(request: RunRequest): void {
  const { error } = shape.safeParse(request, { jitless: true })
  if (!error) return
  throw new UserError(
    error.issues.flatMap((issue): Problem[] => {
      const where = ['run()', issue.path.join('.')].filter(Boolean).join(' ')
      if (issue.code !== 'unrecognized_keys')
        return [{ where, what: issue.message, fix: 'The type RunRequest says what may stand where.' }]
      const known = knownFields(shape, issue.path, request)
      return issue.keys.map((field) => unknownName(where, 'field', field, known, 'RunRequest'))
    }),
  )
}
