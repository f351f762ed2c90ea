import { z } from 'zod'
import { endWith } from '../src/orchestration/end.ts'
import { filesContext, solve } from '../src/orchestration/work-context.ts'
import { defineStrategy } from '../src/strategy.ts'

/** One agent, asked once, without feedback or checks: the floor that every other method must beat. */
export const baseline = defineStrategy({
  name: 'baseline',
  summary: 'One ask to one agent, without feedback; with more turns it goes over its own work.',
  roles: { solver: 'produce' },
  declaration: ({ turns }) => ({
    flow: turns === 1 ? 'solver' : { repeat: 'solver', times: 'turns' },
    stop: turns === 1 ? 'after one reply' : 'after its turns',
    context: 'the task, its files, and what it said itself',
  }),
  attempts: 'turns',
  options: z.strictObject({
    turns: z.int().positive().default(1).describe('number of asks, one after another, in one conversation'),
  }),

  async run(context) {
    const { ask, workspace, options, label } = context
    if (options.turns === 1)
      return endWith(context, { answer: await solve(context, 'solver'), stopReason: 'done' })
    let answer = ''
    for (let turn = 1; turn <= options.turns; turn++) {
      label({ turn })
      const prompt = turn === 1 ? 'Solve the task.' : goOn
      answer = await ask('solver', prompt, {
        session: 'solver',
        show: { files: filesContext(workspace), 'your last reply': answer },
      })
    }
    return endWith(context, { answer, stopReason: 'done' })
  },
})

const goOn =
  'Go over your work as if it were not yours: try it on the cases that the task names and on those at its edges, and put ' +
  'right what is wrong. Hand in the whole of it again, also where nothing was.'
