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
  let open = [...jobs]
  while (open.length > 0) {
    const next = open.find(({ needs = [] }) => needs.every((needed) => done.has(needed)))
    if (!next) throw new DependencyError('cycle', circle(open))
    done.add(next.id)
    open = open.filter((job) => job !== next)
  }
  return [...done]
}

/** Follows needs that are open until a job comes again; all of these jobs wait for another one of them. */
function circle(open: readonly Job[]): string[] {
  const names = open.map(({ id }) => id)
  const path: string[] = []
  let job = open[0] as Job
  while (!path.includes(job.id)) {
    path.push(job.id)
    job = open.find(({ id }) => job.needs?.includes(id)) as Job
  }
  const round = path.slice(path.indexOf(job.id))
  const first = names.find((id) => round.includes(id)) as string
  const at = round.indexOf(first)
  return [...round.slice(at), ...round.slice(0, at), first]
}
