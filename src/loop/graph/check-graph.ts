import type { GraphOptions } from '../../graph.ts'
import { checkText } from '../state/check-arguments.ts'
import type { ScheduledStep } from './schedule.ts'

const policies = ['fail', 'last', 'merge']

/** Throws unless the steps have unique ids and depend only on steps before them, and the options are valid. */
export function checkGraph(steps: readonly ScheduledStep[], { concurrency, conflict }: GraphOptions): void {
  if (!Array.isArray(steps)) throw new Error('[strategy] graph() expects an array of steps.')
  checkSteps('graph()', steps, new Set())
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency >= 1))
    throw new Error(
      `[strategy] graph(): concurrency must be a whole number of at least 1, got ${concurrency}.`,
    )
  if (conflict !== undefined && !policies.includes(conflict))
    throw new Error(`[strategy] graph(): conflict must be one of ${policies.join(', ')}, got ${conflict}.`)
}

/** Throws unless the steps have ids that are new and depend only on known ids and on steps before them. Adds their ids to the known ones. */
export function checkSteps(what: string, steps: readonly ScheduledStep[], known: Set<string>): void {
  for (const step of steps) {
    checkText(`${what}: the id of a step`, step?.id)
    const { id, after } = step
    if (known.has(id)) throw new Error(`[strategy] ${what}: there are two steps "${id}". Rename one of them.`)
    for (const need of after ?? [])
      if (!known.has(need))
        throw new Error(
          `[strategy] ${what}: step "${id}" depends on "${need}", which is not a step before it. Put "${need}" first.`,
        )
    known.add(id)
  }
}
