import { DependencyError } from './job.ts'
import type { Job } from './job.ts'

/** Ids in an order in which every job follows what it needs. */
export function orderJobs(jobs: readonly Job[]): string[] {
  throw new Error('not implemented')
}
