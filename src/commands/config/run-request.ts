import { z } from 'zod'
import type { RunEvent } from '../../loop/branch/run-session.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { ValueOf } from '../../schema/run/config.ts'
import {
  leadingSetting,
  type SettingIn,
  type SettingName,
  type Settings,
  settings,
  settingsIn,
} from '../../schema/settings/settings.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { knownFields } from '../../yaml/schema-fields.ts'
import { runLimitOptions } from './budget-options.ts'
import { type RunOptions, toOptionText } from './run-options.ts'

const objectError = 'must be an object'
const text = z.string('must be a string')
const number = z.number('must be a number')
const textOrTexts = z.union(
  [z.string(), z.array(z.string()).readonly()],
  'must be a string or an array of strings',
)

const requestValues = {
  switch: z.boolean('must be true or false'),
  text,
  texts: z.array(text, 'must be an array of strings').readonly(),
  list: textOrTexts,
  tasks: textOrTexts,
  agents: text,
  policy: z.union(
    [z.enum(['yes', 'abort', 'park']), z.templateLiteral(['file:', z.string().min(1)])],
    "must be 'yes', 'abort', 'park' or 'file:PATH'",
  ),
  count: number,
  natural: number,
  turns: number,
  points: number,
  seconds: number,
}

type RequestSettings = {
  [Name in keyof Pick<Settings, SettingIn<'api'>>]?: ValueOf<typeof requestValues, Settings[Name]['value']>
}

/** Limits by unit; time in milliseconds. Null is no limit. */
const GivenLimits = z.strictObject(
  { calls: number.nullish(), tokens: number.nullish(), costUsd: number.nullish(), timeMs: number.nullish() },
  objectError,
)
export type GivenLimits = z.infer<typeof GivenLimits>

const TrialLimits = z
  .strictObject(
    { calls: number.nullable(), checks: number, tokens: number, costUsd: number, timeMs: number },
    objectError,
  )
  .partial()

/** The fields that no option has in this form. */
const ownFields = {
  /** Agents for single roles. */
  agentByRole: z.record(z.string(), text, objectError).readonly(),
  /** Limits of each trial. In live mode `calls` defaults to 500; null is no limit. */
  limits: TrialLimits,
  /** Limits that stop the run: see `RunResult.limits`. Null lifts a limit of a resumed run. */
  runLimits: GivenLimits,
  /** Limits of methods, by label; `*` is every method. */
  methodLimits: z.record(z.string(), GivenLimits, objectError).readonly(),
  /** Names of more environment variables whose values are redacted, besides those with the name of a key. */
  secrets: requestValues.texts,
  /** Ends the run cleanly when aborted; the run can be resumed. */
  signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }),
  onEvent: z.custom<(event: RunEvent) => void>((given) => typeof given === 'function', 'must be a function'),
}

/** A run: the options of `bench run`, which `bench run --help` describes. A list is an array or a comma-separated string. */
export type RunRequest = RequestSettings & {
  [Name in keyof typeof ownFields]?: z.infer<(typeof ownFields)[Name]>
}

const settingFields = settingsIn('api').map((name): [string, z.ZodType] => {
  const { value } = settings[name]
  if (typeof value === 'string') return [name, requestValues[value]]
  return [name, z.enum(value, `must be ${value.map((word) => `'${word}'`).join(' or ')}`)]
})

const Request = z.strictObject({ ...Object.fromEntries(settingFields), ...ownFields }, objectError).partial()

/**
 * Throws `UserError` with every field that is unknown or has a wrong type. Without this check a misspelt setting would be
 * ignored silently.
 */
function validateRequest(request: RunRequest): void {
  const { error } = Request.safeParse(request, { ...inWords, jitless: true })
  if (!error) return
  throw new UserError(
    error.issues.flatMap((issue): Problem[] => {
      const where = ['run()', issue.path.join('.')].filter(Boolean).join(' ')
      if (issue.code !== 'unrecognized_keys')
        return [{ where, what: issue.message, fix: 'The type RunRequest lists the valid fields.' }]
      const known = knownFields(Request, issue.path, request)
      return issue.keys.map((field) => unknownName(where, 'field', field, known, 'RunRequest'))
    }),
  )
}

/** Converts a request to options of the command line. Throws `UserError` with every field that is unknown or has a wrong type. */
export function requestToOptions(request: RunRequest): RunOptions {
  validateRequest(request)
  const { limits, runLimits, methodLimits, agentByRole, secrets, signal: _, onEvent: __, ...others } = request
  const given = {
    ...Object.fromEntries(
      Object.entries(others).map(([option, value]) => [
        option,
        toOptionText(option as keyof typeof others, value),
      ]),
    ),
    ...Object.fromEntries(
      runLimitOptions.map(({ unit, option }) => [
        option,
        amount(runLimits?.[unit], unit === 'timeMs' ? 1000 : 1),
      ]),
    ),
    agent: agentByRole && Object.entries(agentByRole).map(([role, name]) => `${role}=${name}`),
    limit: limits && limitText(limits),
    methodLimit: methodLimits && methodLimitText(methodLimits),
    secret: secrets,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const amount = (value: number | null | undefined, divisor = 1) =>
  value === null ? 'none' : value === undefined ? undefined : String(value / divisor)

const limitText = (limits: object, prefix = '') =>
  Object.entries(limits)
    .map(([unit, value]) => `${prefix}${unit}=${amount(value as number | null) ?? ''}`)
    .join(',')

const methodLimitText = (methods: Readonly<Record<string, GivenLimits>>) =>
  Object.entries(methods)
    .map(([label, limits]) => limitText(limits, label === '*' ? '' : `${label}.`))
    .filter((text) => text !== '')
    .join(',')

/** Returns a problem of a request in the request's own words: `--tool-turns` is its field `toolTurns`. Commands stay as they are. */
export function inRequestWords({ where, what, fix }: Problem): Problem {
  const found = leadingSetting(where)
  return {
    where: found && isField(found.name) ? `run() ${found.name}${found.rest}` : where,
    what: withFields(what),
    ...(fix !== undefined && { fix: withFields(fix) }),
  }
}

const withFields = (text: string) =>
  /\bbench [a-z]/.test(text)
    ? text
    : text.replace(/(?<![\w-])--[a-z][\w-]*/g, (flag) => {
        const { name } = leadingSetting(flag) ?? {}
        return name && isField(name) ? name : flag
      })

const isField = (name: SettingName) => settings[name].in.some((place) => place === 'api')
