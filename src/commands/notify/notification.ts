import { basename, resolve } from 'node:path'
import { limitText } from '../../reports/words/limit-text.ts'
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
    waiting: [],
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
  if (!end.interrupted) return { status: 'complete', reason: null }
  if (byPerson) return { status: 'interrupted', reason: 'a person or a signal stopped it' }
  if (end.inVain !== undefined) return { status: 'stopped', reason: end.inVain }
  const limits = end.limits.filter(({ stopped }) => stopped)
  if (limits.length > 0) return { status: 'limited', reason: limits.map(limitText).join('; ') }
  return { status: 'interrupted', reason: 'it was interrupted' }
}
