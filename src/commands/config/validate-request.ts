import { z } from 'zod'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { knownFields } from '../../yaml/schema-fields.ts'
import type { RunRequest } from './run-request.ts'

const text = z.string('must be a string')
const number = z.number('must be a number')
const flag = z.boolean('must be true or false')
const texts = z.array(text, 'must be an array of strings').readonly()
const textOrTexts = z.union(
  [z.string(), z.array(z.string()).readonly()],
  'must be a string or an array of strings',
)
const choice = <const Word extends string>(allowed: readonly Word[]) =>
  z.enum(allowed, `must be ${allowed.map((word) => `'${word}'`).join(' or ')}`)
const objectError = 'must be an object'

const givenLimits = z.strictObject(
  { calls: number.nullish(), tokens: number.nullish(), costUsd: number.nullish(), timeMs: number.nullish() },
  objectError,
)

/** The type `RunRequest` is written by hand, because a type inferred from a schema has no doc comments. */
const shape = z
  .strictObject(
    {
      tasks: textOrTexts,
      skipInvalid: flag,
      tag: textOrTexts,
      where: textOrTexts,
      sample: number,
      methods: textOrTexts,
      agents: text,
      judges: textOrTexts,
      agentByRole: z.record(z.string(), text, objectError).readonly(),
      mode: choice(['dev', 'live']),
      tools: textOrTexts,
      toolTurns: number,
      profile: text,
      prices: text,
      epochs: number,
      seed: number,
      parallel: number,
      limits: z
        .strictObject(
          { calls: number.nullable(), checks: number, tokens: number, costUsd: number, timeMs: number },
          objectError,
        )
        .partial(),
      runLimits: givenLimits,
      methodLimits: z.record(z.string(), givenLimits, objectError).readonly(),
      retries: number,
      inject: texts,
      baseline: text,
      family: choice(['all', 'baseline']),
      outcome: choice(['success', 'score']),
      margin: number,
      stopWhen: text,
      calibration: flag,
      failIf: textOrTexts,
      approve: z.union(
        [z.enum(['yes', 'abort', 'park']), z.templateLiteral(['file:', z.string().min(1)])],
        "must be 'yes', 'abort', 'park' or 'file:PATH'",
      ),
      sandbox: text,
      allowUnsandboxed: flag,
      allowProviderTools: flag,
      allowUnpriced: flag,
      gradeCandidates: flag,
      keepWorkspaces: choice(KeepWorkspaces.options),
      matchBudget: text,
      out: text,
      resume: text,
      acceptChanges: flag,
      retryErrors: flag,
      takeOver: flag,
      repair: flag,
      trustCode: flag,
      keepGoing: flag,
      endBlocked: number,
      config: text,
      instruction: text,
      workspace: text,
      include: texts,
      yes: flag,
      secrets: texts,
      signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }),
      onEvent: z.custom<NonNullable<RunRequest['onEvent']>>(
        (given) => typeof given === 'function',
        'must be a function',
      ),
    } satisfies { [Field in keyof RunRequest]-?: z.ZodType<NonNullable<RunRequest[Field]>> },
    objectError,
  )
  .partial()

/** The fields of a request. */
export const requestFields: readonly string[] = Object.keys(shape.shape)

/**
 * Throws `UserError` with every field that is unknown or has a wrong type. Without this check a misspelt setting would be
 * ignored silently.
 */
export function validateRequest(request: RunRequest): void {
  const { error } = shape.safeParse(request, { jitless: true })
  if (!error) return
  throw new UserError(
    error.issues.flatMap((issue): Problem[] => {
      const where = ['run()', issue.path.join('.')].filter(Boolean).join(' ')
      if (issue.code !== 'unrecognized_keys')
        return [{ where, what: issue.message, fix: 'The type RunRequest lists the valid fields.' }]
      const known = knownFields(shape, issue.path, request)
      return issue.keys.map((field) => unknownName(where, 'field', field, known, 'RunRequest'))
    }),
  )
}
