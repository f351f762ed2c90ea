import type { Job, Slot } from './job.ts'
import { orderJobs } from './order.ts'

/** Which worker does which job when. */
export function planJobs(jobs: readonly Job[], workers: number): Slot[] {
  throw new Error('not implemented')
}

/** The latest end. */
export function makespan(slots: readonly Slot[]): number {
  throw new Error('not implemented')
}
