import type { Summary } from './analysis/summary.ts'
import { executeRun } from './commands/execute.ts'
import type { RunOptions as CommandOptions } from './commands/run-options.ts'
import { UserError } from './errors.ts'
import type { RunEvent } from './loop/events.ts'
import { unknownName } from './loop/methods.ts'
import { readRecords } from './loop/records.ts'
import type { LimitUse } from './schema/limits.ts'
import type { TrialRecord } from './schema/record.ts'

/** The zod that options and shapes must be made with. */
export { z } from 'zod'
export type { Summary } from './analysis/summary.ts'
export { UserError } from './errors.ts'
export type { RunEvent } from './loop/events.ts'
export type { LimitUse } from './schema/limits.ts'
export type { TrialRecord } from './schema/record.ts'
export type { Step } from './schema/step.ts'
export {
  type Ask,
  type AskOptions,
  type CheckResult,
  defineStrategy,
  type FileEdit,
  type KindOfWork,
  type Strategy,
  type StrategyContext,
  type StrategyResult,
  type TraceEvent,
  type Workspace,
} from './strategy.ts'

/** What to run: the options of `bench run`, with lists as arrays or as one text, and numbers as numbers. */
export interface RunRequest {
  /** As after `--tasks`. */
  tasks?: string | readonly string[]
  /** As after `--methods`. */
  methods?: string | readonly string[]
  /** The agent for all roles, as `provider:model`. */
  agents?: string
  /** Agents for single roles. */
  agentByRole?: Readonly<Record<string, string>>
  mode?: 'dev' | 'live'
  /** Profile of the simulated agents: a name or a file. */
  profile?: string
  /** A file of prices that win over the table of list prices. */
  prices?: string
  epochs?: number
  seed?: number
  /** Trials at once. */
  parallel?: number
  /** Limits of each trial. */
  limits?: { calls?: number; checks?: number; tokens?: number; costUsd?: number; timeMs?: number }
  /** Limits of the run, which stop it: see `RunResult.limits`. Null lifts one that a resumed run has. */
  runLimits?: GivenLimits
  /** The same of methods, by label; `*` is each. */
  methodLimits?: Readonly<Record<string, GivenLimits>>
  /** Most retries of an ask whose failure may pass; 3. */
  retries?: number
  /** Faults on purpose, each as after `--inject`. */
  inject?: readonly string[]
  baseline?: string
  /** The run folder. */
  out?: string
  /** Go on with this run folder; then only `parallel`, `runLimits`, `methodLimits`, `secrets` and `retryErrors` may stand beside it. */
  resume?: string
  /** With `resume`: run the trials again that ended in error. */
  retryErrors?: boolean
  /** A config file, over which this request wins; none is looked for. */
  config?: string
  /** A free request instead of tasks: a file with its text, and the folder to work on, which is only read. */
  instruction?: string
  workspace?: string
  /** Names of further environment variables whose values are redacted; those named like keys are anyway. */
  secrets?: readonly string[]
  /** Ends the run cleanly; it can be resumed. */
  signal?: AbortSignal
  onEvent?: (event: RunEvent) => void
}

/** Limits by unit; time in ms. Null is no limit. */
export interface GivenLimits {
  calls?: number | null
  tokens?: number | null
  costUsd?: number | null
  timeMs?: number | null
}

/** What became of it. */
export interface RunResult {
  /** The run folder, with every record and step. */
  folder: string
  /** Aborted, or stopped by a limit, before all trials had ended. */
  interrupted: boolean
  /** The limits of the run and of its methods: how much is used, and whether they stopped something. */
  limits: readonly LimitUse[]
  summary: Summary
  /** Reads the records again from the run folder, one at a time. */
  records(): Iterable<TrialRecord>
}

/**
 * Runs methods on tasks and sums up what came out: what `bench run` does, without printing. Throws `UserError` with
 * all that is wrong with the request.
 */
export async function run(request: RunRequest): Promise<RunResult> {
  mustBeKnown(request)
  const { signal = new AbortController().signal, onEvent = () => {} } = request
  const { folder, end, report } = await executeRun(commandOptions(request), { signal, onEvent })
  return {
    folder,
    interrupted: end.interrupted,
    limits: end.limits,
    summary: report.summary,
    records: () => readRecords(folder),
  }
}

const fields = new Set<string>([
  'tasks',
  'methods',
  'agents',
  'agentByRole',
  'mode',
  'profile',
  'prices',
  'epochs',
  'seed',
  'parallel',
  'limits',
  'runLimits',
  'methodLimits',
  'retries',
  'inject',
  'baseline',
  'out',
  'resume',
  'retryErrors',
  'config',
  'instruction',
  'workspace',
  'secrets',
  'signal',
  'onEvent',
] satisfies (keyof RunRequest)[])

/** A misspelt field would otherwise be a setting that silently is not made. */
function mustBeKnown(request: RunRequest): void {
  const problems =
    typeof request === 'object' && request !== null
      ? Object.keys(request).flatMap((field) =>
          fields.has(field) ? [] : [unknownName('run()', 'field', field, [...fields], 'RunRequest')],
        )
      : [
          {
            where: 'run()',
            what: 'wants an object',
            fix: "Write run({ tasks: 'all', methods: ['baseline'] }).",
          },
        ]
  if (problems.length > 0) throw new UserError(problems)
}

function commandOptions(request: RunRequest): CommandOptions {
  const {
    tasks,
    methods,
    agents,
    agentByRole,
    mode,
    profile,
    prices,
    epochs,
    seed,
    parallel,
    limits,
    runLimits,
    methodLimits,
    retries,
    inject,
    baseline,
    out,
    resume,
    retryErrors,
    config,
    instruction,
    workspace,
    secrets,
  } = request
  const given = {
    tasks: list(tasks),
    methods: list(methods),
    agents,
    agent: agentByRole && Object.entries(agentByRole).map(([role, name]) => `${role}=${name}`),
    mode,
    profile,
    prices,
    epochs: text(epochs),
    seed: text(seed),
    parallel: text(parallel),
    limit:
      limits &&
      Object.entries(limits)
        .map(([name, value]) => `${name}=${value}`)
        .join(','),
    maxCost: amount(runLimits?.costUsd),
    maxTokens: amount(runLimits?.tokens),
    maxCalls: amount(runLimits?.calls),
    maxTime: amount(runLimits?.timeMs, 1000),
    methodLimit: methodLimits && methodLimitText(methodLimits),
    retries: text(retries),
    inject,
    baseline,
    out,
    resume,
    retryErrors,
    config,
    instruction,
    workspace,
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
