/** The work of a session of a run by its kinds. Times are in ms, by one clock. */
export interface WorkTimes {
  /** The trials that ended, and the sum of their times. */
  trials: number
  trialMs: number
  /** The tasks that were prepared, and the sum of their times. */
  prepared: number
  preparedMs: number
  /** Since when each of the other tasks is being prepared. */
  preparing: Map<string, number>
  /** The shortest time left that was shown; no later one is longer. */
  told: number
}

export const noWork = (): WorkTimes => ({
  ...{
    trials: 0,
    trialMs: 0,
    prepared: 0,
    preparedMs: 0,
    preparing: new Map(),
    told: Number.POSITIVE_INFINITY,
  },
})

/** The work that is left: trials, and all tasks that are prepared in this session, if any is. */
interface WorkLeft {
  trials: number
  tasks: number
}

/** The time that the rest takes, in ms. `atLeast`: the estimate is now clearly longer than what was shown. */
interface TimeLeft {
  ms: number
  atLeast: boolean
}

/** A few trials, or a few seconds, or the first of many tasks to prepare, do not show a rate. */
const [fewTrials, fewMs, fewTasks] = [3, 2000, 1 / 4]

/** How many times the shown time an estimate must be, to be shown as `more than`. */
const clearly = 1.25

/**
 * Returns the time that the rest of the work takes at the rate of this session; undefined if that is not known yet. The rate is how much
 * work, trials and preparations alike, was done a second, whatever ran side by side.
 */
export function timeLeft(
  work: WorkTimes,
  left: WorkLeft,
  elapsed: number,
  now: number,
): TimeLeft | undefined {
  if (work.trials < fewTrials || elapsed < fewMs || left.trials <= 0) return undefined
  const running = [...work.preparing.values()].map((since) => Math.max(0, now - since))
  const begun = work.prepared + running.length
  if (begun > 0 && work.prepared < left.tasks * fewTasks) return undefined
  const preparingMs = sum(running)
  const [trial, preparation] = [
    work.trialMs / work.trials,
    (work.preparedMs + preparingMs) / Math.max(1, begun),
  ]
  const unprepared = begun === 0 ? 0 : left.tasks - begun
  // What runs longer than the others do by average may end at once.
  const restOfRunning = sum(running.map((ms) => Math.max(0, preparation - ms)))
  const rest = left.trials * trial + unprepared * preparation + restOfRunning
  const done = work.trialMs + work.preparedMs + preparingMs
  const ms = done > 0 ? (rest / done) * elapsed : (elapsed / work.trials) * left.trials
  const atLeast = ms > work.told * clearly
  work.told = Math.min(work.told, ms)
  return { ms: work.told, atLeast }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
