import { expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import type { RunEvent } from '../../../src/loop/branch/run-session.ts'
import { createTaskPreparer } from '../../../src/loop/work/prepare.ts'
import { answerTask } from '../../helpers/runs/trial.ts'

/** The events while a task is prepared for agents that do so, simulated or not; one more agent prepares nothing. */
async function prepared(...simulated: boolean[]): Promise<RunEvent[]> {
  const agents = simulated.map((one) => ({ simulated: one, prepare: async () => {} }))
  const events: RunEvent[] = []
  const uniqueAgents = [...agents, { simulated: true }] as Agent[]
  const prepare = createTaskPreparer(
    { uniqueAgents, tasks: { size: 1 } },
    new AbortController().signal,
    (event) => events.push(event),
  )
  await prepare(answerTask())
  return events
}

it('wrong solutions are tried where a simulated agent prepares a task, and nowhere else', async () => {
  const tries = async (...simulated: boolean[]) =>
    (await prepared(...simulated)).map((event) => event.type === 'prepare' && event.tries)
  expect(await tries(true)).toEqual([true, true])
  expect(await tries(false)).toEqual([false, false])
  expect(await tries(false, true)).toEqual([true, true])
  expect(await tries()).toEqual([])
})
