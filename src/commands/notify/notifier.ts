import { basename, resolve } from 'node:path'
import { dollarMark } from '../../analysis/evidence.ts'
import { roundedSum } from '../../loop/budget/spending.ts'
import { ledgersOf } from '../../loop/join/blocks.ts'
import { countCutOff, sumRunBill } from '../../loop/record/run-bill.ts'
import { limitText } from '../../reports/words/limit-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import { withoutSecrets } from '../../sandbox/machine/run-tool.ts'
import type { Notification } from '../../schema/run/notification.ts'
import { thrownText } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { mergeOptions } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import type { ExecutedRun } from '../session/execute.ts'
import { countErrors } from '../session/report-end.ts'
import { reportNote } from '../terminal/report-error.ts'
import { foreignConfig, requireTrust } from '../trust/require-trust.ts'
import { type NotifyTarget, postJson, readNotifyTarget, runCommand } from './target.ts'

/** Tells whom `--notify` names how a run ended. A failure is only a note. */
interface Notifier {
  /** Checks that the config file may name whom it tells, as the run checks it for all else. Throws `UserError`. */
  requireTrust(): Promise<void>
  tellEnd(run: ExecutedRun, how: { exitCode: number; byPerson: boolean }): Promise<void>
  /** For a run that had begun and threw. */
  tellFailure(folder: string, error: unknown): Promise<void>
}

/** Creates the notifier of a run, which may have nobody to tell. Throws `UserError` if the target is wrong. */
export function createNotifier(options: RunOptions, signal: AbortSignal): Notifier {
  const target = readNotifyTarget(options)
  const tell = async (folder: string, notification: Notification, further: readonly string[]) => {
    if (!target) return
    const secrets = [...(mergeOptions(options).options.secret ?? []), ...further]
    // An interrupted run tells of it, too; then only the second Ctrl-C ends that.
    const stop = signal.aborted ? new AbortController().signal : signal
    const { redact } = findRunSecrets(secrets)
    reportNote(await notify(target, notification, { folder, redact, secrets, signal: stop }))
  }
  return {
    async requireTrust() {
      const trusted = options.trustCode === true
      if (target?.config) await requireTrust([foreignConfig(target.config)], { trusted, signal })
    },
    async tellEnd(run, how) {
      // To read the ledger takes time.
      if (target) await tell(run.folder, notificationOf(run, how), run.manifest.secrets ?? [])
    },
    tellFailure: (folder, error) => tell(folder, failureNotification(folder, thrownText(error)), []),
  }
}

/** The longest times for a command and for a request, and the wait before the second request; ms. */
const times = { commandMs: 30_000, requestMs: 10_000, retryAfterMs: 1000 }

/**
 * Tells a target how a run ended. Returns what went wrong, in words; undefined if nothing did. `BENCH_RUN` of a command is the run
 * folder; the rest of its environment is that of bench, without keys.
 */
export async function notify(
  target: NotifyTarget,
  notification: Notification,
  {
    folder,
    redact,
    secrets,
    signal,
    commandMs = times.commandMs,
    requestMs = times.requestMs,
    retryAfterMs = times.retryAfterMs,
  }: {
    folder: string
    redact: Redactor | undefined
    /** Names of variables that a command does not get, besides those that look like keys. */
    secrets: readonly string[]
    signal: AbortSignal
    commandMs?: number
    requestMs?: number
    retryAfterMs?: number
  },
): Promise<string | undefined> {
  const text = JSON.stringify(redact ? redact.data(notification) : notification)
  const problem =
    'url' in target
      ? await postJson(target.url, text, { timeoutMs: requestMs, retryAfterMs, signal })
      : await runCommand(target.command, `${text}\n`, {
          env: { ...commandEnvironment(secrets), BENCH_RUN: folder },
          ...{ timeoutMs: commandMs, signal },
        })
  if (problem === undefined) return undefined
  return `--notify: ${target.shown} ${redact ? redact.cut(problem) : problem}`
}

function commandEnvironment(secrets: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutSecrets()).filter(([name]) => !secrets.includes(name)))
}

/** Says how a run ended. `exitCode` is that of bench, `byPerson` whether a person or a signal stopped it. */
function notificationOf(
  run: ExecutedRun,
  { exitCode, byPerson }: { exitCode: number; byPerson: boolean },
): Notification {
  const { folder, end, report } = run
  const { methods, simulated } = report.summary
  return {
    schemaVersion: 1,
    run: runName(folder),
    ...endOf(run, byPerson),
    exitCode,
    trials: end.trials,
    done: end.done,
    errors: countErrors(run),
    simulated,
    ...costSoFar(folder),
    methods: methods.map(({ method, agents, trials: { graded, passed }, success, cost }) => ({
      ...{ method, agents, graded, passed, success: success.estimate, costUsd: cost.total.value },
    })),
    waiting: end.waiting.map(({ trial, question }) => ({ trial, question })),
  }
}

/** Returns what the ledger has been charged, by trials that have not ended, too. */
function costSoFar(folder: string): Pick<Notification, 'costUsd' | 'costIsLowerBound'> {
  const bill = Object.values(sumRunBill(...ledgersOf(folder))).filter(({ calls }) => calls > 0)
  const known = bill.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    costUsd:
      known.length < 1 && bill.length > 0 ? null : roundedSum(known.reduce((sum, one) => sum + one, 0)),
    costIsLowerBound: bill.some(({ unreportedCost }) => unreportedCost > 0) || countCutOff(folder) > 0,
  }
}

/** Says that a run broke after it had begun. */
export function failureNotification(folder: string, reason: string): Notification {
  return {
    ...{ schemaVersion: 1, run: runName(folder), status: 'failed', reason, exitCode: 1 },
    ...{ trials: null, done: null, errors: null, simulated: null },
    ...{ costUsd: null, costIsLowerBound: true, methods: [], waiting: [] },
  }
}

const runName = (folder: string) => basename(resolve(folder))

function endOf({ end, manifest }: ExecutedRun, byPerson: boolean): Pick<Notification, 'status' | 'reason'> {
  const { interrupted, repeatedFailure, limits, paused, waiting } = end
  if (!interrupted) return { status: 'complete', reason: null }
  if (byPerson) return { status: 'interrupted', reason: 'a person or a signal stopped it' }
  if (repeatedFailure !== undefined) return { status: 'stopped', reason: repeatedFailure }
  const reached = limits.filter(({ stopped }) => stopped)
  const reason = reached.map((use) => limitText(use, dollarMark(manifest))).join('; ')
  if (reached.length > 0) return { status: 'limited', reason }
  if (paused) return { status: 'paused', reason: 'a person paused it' }
  if (waiting.length > 0)
    return { status: 'parked', reason: `${counted(waiting.length, 'trial')} waiting for a person` }
  return { status: 'interrupted', reason: 'its trials were interrupted' }
}
