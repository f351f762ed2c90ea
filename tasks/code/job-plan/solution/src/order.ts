import { DependencyError } from './job.ts'
import type { Job } from './job.ts'

/** Ids in an order in which every job follows what it needs. */
export function orderJobs(jobs: readonly Job[]): string[] {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  if (byId.size < jobs.length) throw new RangeError('an id stands there twice')
  for (const { id, minutes } of jobs) {
    if (!Number.isInteger(minutes) || minutes < 1) throw new RangeError(`${id} takes ${minutes} minutes`)
  }
  for (const { id, needs = [] } of jobs) {
    const unknown = needs.find((needed) => !byId.has(needed))
    if (unknown !== undefined) throw new DependencyError('unknown', [id, unknown])
  }

  const done = new Set<string>()
  for (const _round of jobs) {
    const open = jobs.filter(({ id }) => !done.has(id))
    const next = open.find(({ needs = [] }) => needs.every((needed) => done.has(needed)))
    if (!next) throw new DependencyError('cycle', circle(open))
    done.add(next.id)
  }
  return [...done]
}

/** Follows needs that are open until a job comes again; all of these jobs wait for another one of them. */
function circle(open: readonly Job[]): string[] {
  const path: string[] = []
  let job = open[0] as Job
  for (const _step of open) {
    path.push(job.id)
    job = open.find(({ id }) => job.needs?.includes(id)) as Job
    if (path.includes(job.id)) break
  }
  const round = path.slice(path.indexOf(job.id))
  const first = open.map(({ id }) => id).find((id) => round.includes(id)) as string
  const at = round.indexOf(first)
  return [...round.slice(at), ...round.slice(0, at), first]
}
