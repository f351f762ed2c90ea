import { z } from 'zod'
import { filesContext } from '../src/orchestration/files-context.ts'
import { defineStrategy } from '../src/strategy.ts'

/** One agent, asked once, without feedback or checks: the floor that every other method must beat. */
export const baseline = defineStrategy({
  name: 'baseline',
  summary: 'One ask to one agent, without feedback.',
  roles: { solver: 'produce' },
  declaration: { flow: 'solver', stop: 'after one reply', context: 'the task and its files' },
  options: z.strictObject({}),

  async run({ ask, workspace }) {
    const answer = await ask('solver', 'Solve the task.', { context: { files: filesContext(workspace) } })
    return { answer, stopReason: 'done' }
  },
})
