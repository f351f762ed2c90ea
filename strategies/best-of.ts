import { z } from 'zod'
import { defineStrategy } from '../src/strategy.ts'
import { bestAttempt } from '../src/workflows/attempts.ts'
import { endWith } from '../src/workflows/end.ts'
import { solve } from '../src/workflows/work-context.ts'

/** Several attempts; the visible checks choose one. It measures what sampling is worth where work can be checked. */
export const bestOf = defineStrategy({
  name: 'best-of',
  summary: 'The ask of the baseline several times over, side by side; the visible checks choose the best.',
  roles: { solver: 'produce' },
  declaration: {
    flow: { beside: 'solver', times: 'n' },
    stop: 'after all attempts',
    context: 'the task and its files; no attempt knows of another',
    asks: 'task',
  },
  attempts: 'n',
  options: z.strictObject({ n: z.int().positive().default(5).describe('number of attempts') }),

  async run(context) {
    const { reply, passed, total } = await bestAttempt(
      context,
      'attempt',
      context.options.n,
      async (branch) => {
        const reply = await solve(branch, 'solver')
        const { passed, total } = await branch.workspace.check()
        return { score: passed, value: { reply, passed, total } }
      },
    )
    const detail =
      total === 0 ? 'no visible checks: the first attempt' : `${passed} of ${total} visible checks pass`
    return endWith(context, { answer: reply, stopReason: 'done', detail })
  },
})
