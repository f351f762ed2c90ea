import type { Job, Slot } from './job.ts'
import { orderJobs } from './order.ts'

/** Which worker does which job when. */
export function planJobs(jobs: readonly Job[], workers: number): Slot[] {
  if (!Number.isInteger(workers) || workers < 1) throw new RangeError('workers are an integer of at least 1')
  const tails = tailsOf(jobs, orderJobs(jobs))
  const ranked = jobs.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0) || tail(b) - tail(a))
  const ends = new Map<string, number>()
  const slots: Slot[] = []

  function tail({ id }: Job): number {
    return tails.get(id) ?? 0
  }
  function ready({ id, needs = [] }: Job, time: number): boolean {
    return !ends.has(id) && needs.every((needed) => (ends.get(needed) ?? Number.POSITIVE_INFINITY) <= time)
  }

  const times = new Set([0]) // at which something can start: one more than there are jobs, at most
  for (const _round of [0, ...jobs]) {
    const time = Math.min(...times)
    times.delete(time)
    for (let worker = 1; worker <= workers; worker++) {
      if (slots.some((slot) => slot.worker === worker && slot.end > time)) continue
      const job = ranked.find((each) => ready(each, time))
      if (!job) break
      const end = time + job.minutes
      slots.push({ id: job.id, worker, start: time, end })
      ends.set(job.id, end)
      times.add(end)
    }
  }
  return slots
}

/** The latest end. */
export function makespan(slots: readonly Slot[]): number {
  return Math.max(0, ...slots.map(({ end }) => end))
}

/** Of each job: the least time from its start to the end of all that waits for it. */
function tailsOf(jobs: readonly Job[], order: readonly string[]): Map<string, number> {
  const tails = new Map<string, number>()
  for (const id of order.toReversed()) {
    const waiting = jobs.filter(({ needs = [] }) => needs.includes(id)).map((job) => tails.get(job.id) ?? 0)
    const minutes = jobs.find((job) => job.id === id)?.minutes ?? 0
    tails.set(id, minutes + Math.max(0, ...waiting))
  }
  return tails
}
