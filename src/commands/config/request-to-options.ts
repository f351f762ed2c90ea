import { type RunOptions, toOptionText } from './run-options.ts'
import type { GivenLimits, RunRequest } from './run-request.ts'
import { validateRequest } from './validate-request.ts'

/** Converts a request to options of the command line. Throws `UserError` with every field that is unknown or has a wrong type. */
export function requestToOptions(request: RunRequest): RunOptions {
  validateRequest(request)
  const { limits, runLimits, methodLimits, agentByRole, secrets, signal: _, onEvent: __, ...others } = request
  const given = {
    ...Object.fromEntries(
      Object.entries(others).map(([option, value]) => [option, toOptionText(option, value)]),
    ),
    agent: agentByRole && Object.entries(agentByRole).map(([role, name]) => `${role}=${name}`),
    limit: limits && limitText(limits),
    maxCost: amount(runLimits?.costUsd),
    maxTokens: amount(runLimits?.tokens),
    maxCalls: amount(runLimits?.calls),
    maxTime: amount(runLimits?.timeMs, 1000),
    methodLimit: methodLimits && methodLimitText(methodLimits),
    secret: secrets,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const amount = (value: number | null | undefined, divisor = 1) =>
  value === null ? 'none' : value === undefined ? undefined : String(value / divisor)

const limitText = (limits: object) =>
  Object.entries(limits)
    .map(([name, value]) => `${name}=${value === null ? 'none' : value}`)
    .join(',')

function methodLimitText(methods: Readonly<Record<string, GivenLimits>>): string {
  return Object.entries(methods)
    .flatMap(([label, limits]) =>
      Object.entries(limits).map(
        ([unit, value]) => `${label === '*' ? '' : `${label}.`}${unit}=${amount(value) ?? ''}`,
      ),
    )
    .join(',')
}
