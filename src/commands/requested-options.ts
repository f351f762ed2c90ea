import type { RunOptions } from './run-options.ts'
import type { GivenLimits, RunRequest } from './run-request.ts'
import { mustBeSound } from './sound-request.ts'

/** The request in the words of the command line. Throws `UserError` with every field that there is not or that is of another type. */
export function requestedOptions(request: RunRequest): RunOptions {
  mustBeSound(request)
  const { limits, runLimits, methodLimits, agentByRole, secrets } = request
  const given = {
    tasks: list(request.tasks),
    methods: list(request.methods),
    agents: request.agents,
    agent: agentByRole && Object.entries(agentByRole).map(([role, name]) => `${role}=${name}`),
    mode: request.mode,
    profile: request.profile,
    prices: request.prices,
    epochs: text(request.epochs),
    seed: text(request.seed),
    parallel: text(request.parallel),
    limit:
      limits &&
      Object.entries(limits)
        .map(([name, value]) => `${name}=${value === null ? 'none' : value}`)
        .join(','),
    maxCost: amount(runLimits?.costUsd),
    maxTokens: amount(runLimits?.tokens),
    maxCalls: amount(runLimits?.calls),
    maxTime: amount(runLimits?.timeMs, 1000),
    methodLimit: methodLimits && methodLimitText(methodLimits),
    retries: text(request.retries),
    inject: request.inject,
    baseline: request.baseline,
    family: request.family,
    outcome: request.outcome,
    margin: text(request.margin),
    stopWhen: request.stopWhen,
    calibration: request.calibration,
    failIf: list(request.failIf),
    approve: request.approve,
    sandbox: request.sandbox,
    allowUnsandboxed: request.allowUnsandboxed,
    gradeCandidates: request.gradeCandidates,
    matchBudget: request.matchBudget,
    out: request.out,
    resume: request.resume,
    retryErrors: request.retryErrors,
    takeOver: request.takeOver,
    repair: request.repair,
    trustCode: request.trustCode,
    keepGoing: request.keepGoing,
    endBlocked: text(request.endBlocked),
    config: request.config,
    instruction: request.instruction,
    workspace: request.workspace,
    include: request.include,
    yes: request.yes,
    secret: secrets,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const amount = (value: number | null | undefined, divisor = 1) =>
  value === null ? 'none' : text(value === undefined ? undefined : value / divisor)

function methodLimitText(methods: Readonly<Record<string, GivenLimits>>): string {
  return Object.entries(methods)
    .flatMap(([label, limits]) =>
      Object.entries(limits).map(
        ([unit, value]) => `${label === '*' ? '' : `${label}.`}${unit}=${amount(value) ?? ''}`,
      ),
    )
    .join(',')
}

const list = (value: string | readonly string[] | undefined) =>
  typeof value === 'object' ? value.join(',') : value
const text = (value: number | undefined) => (value === undefined ? undefined : String(value))
