import type { Agent } from '../../agents/agent.ts'
import { includesSimulated } from '../../agents/paid-or-simulated.ts'
import { valueAt } from '../../base/grouping.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { Interrupted } from '../branch/recorded-steps.ts'
import type { RunEvent } from '../branch/run-session.ts'

/** Creates a function that lets the agents prepare a task once, before its first trial and outside all trials. */
export function createTaskPreparer(
  session: { uniqueAgents: readonly Agent[]; tasks: { size: number } },
  signal: AbortSignal,
  onEvent: (event: RunEvent) => void,
): (task: Task) => Promise<void> {
  // Several agents may wrap the same one and share its `prepare`.
  const preparing = new Map(session.uniqueAgents.map((agent) => [agent.prepare, agent]))
  const agents = [...preparing.values()].filter(({ prepare }) => prepare)
  const tries = includesSimulated(agents)
  const prepared = new Map<string, Promise<void>>()
  const prepare = async (task: Task) => {
    if (agents.length === 0) return
    const counts = { task: task.ref, number: prepared.size + 1, tasks: session.tasks.size, tries }
    onEvent({ type: 'prepare', state: 'begin', ...counts })
    try {
      for (const agent of agents) await agent.prepare?.(task)
    } catch (error) {
      // The task's own trials will meet the same fault and end in error; other tasks are not affected.
      if (!(error instanceof InfrastructureError)) throw signal.aborted ? new Interrupted() : error
      onEvent({ type: 'warning', message: `cannot prepare ${task.ref}: ${error.message}` })
    }
    onEvent({ type: 'prepare', state: 'end', ...counts })
  }
  return (task) => valueAt(prepared, task.ref, () => prepare(task))
}
