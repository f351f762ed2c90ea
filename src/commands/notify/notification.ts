import { basename, resolve } from 'node:path'
import { limitText } from '../../reports/words/limit-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Notification } from '../../schema/run/notification.ts'
import type { ExecutedRun } from '../session/execute.ts'
import { countErrors } from '../session/report-end.ts'

/** Says how a run ended. `exitCode` is that of bench, `byPerson` whether a person or a signal stopped it. */
export function notificationOf(
  run: ExecutedRun,
  { exitCode, byPerson }: { exitCode: number; byPerson: boolean },
): Notification {
  const { folder, end, report } = run
  const { methods, simulated } = report.summary
  const costs = methods.map(({ cost }) => cost.total)
  const known = costs.flatMap(({ value }) => (value === null ? [] : [value]))
  return {
    schemaVersion: 1,
    run: runName(folder),
    ...endOf(run, byPerson),
    exitCode,
    trials: end.trials,
    done: end.done,
    errors: countErrors(run),
    simulated,
    costUsd: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0),
    costIsLowerBound: costs.some(({ value, lowerBound }) => value === null || lowerBound),
    methods: methods.map(({ method, agents, trials: { graded, passed }, success, cost }) => ({
      ...{ method, agents, graded, passed, success: success.estimate, costUsd: cost.total.value },
    })),
    waiting: end.waiting.map(({ trial, question }) => ({ trial, question })),
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

function endOf({ end }: ExecutedRun, byPerson: boolean): Pick<Notification, 'status' | 'reason'> {
  const { interrupted, inVain, limits, paused, waiting } = end
  if (!interrupted) return { status: 'complete', reason: null }
  if (byPerson) return { status: 'interrupted', reason: 'a person or a signal stopped it' }
  if (inVain !== undefined) return { status: 'stopped', reason: inVain }
  const reached = limits.filter(({ stopped }) => stopped)
  if (reached.length > 0) return { status: 'limited', reason: reached.map(limitText).join('; ') }
  if (paused) return { status: 'paused', reason: 'a person paused it' }
  if (waiting.length > 0)
    return { status: 'parked', reason: `${counted(waiting.length, 'trial')} waiting for a person` }
  return { status: 'interrupted', reason: 'its trials were interrupted' }
}
