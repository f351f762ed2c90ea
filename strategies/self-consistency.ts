import { z } from 'zod'
import { defineStrategy } from '../src/strategy.ts'
import { sideBySide } from '../src/workflows/attempts.ts'
import { endWith } from '../src/workflows/end.ts'
import { behaviourOf, elect } from '../src/workflows/vote.ts'
import { solve } from '../src/workflows/work-context.ts'

/** The same ask several times, and the majority of the results (Wang et al. 2022): sampling without roles. */
export const selfConsistency = defineStrategy({
  name: 'self-consistency',
  summary: 'The ask of the baseline several times over, side by side; the majority of what the answers do.',
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
    const names = Array.from({ length: context.options.n }, (_, i) => `attempt-${i + 1}`)
    const { ended, failures } = await sideBySide(context, names, async (branch) => {
      const reply = await solve(branch, 'solver')
      return { reply, ...(await behaviourOf(branch.workspace, reply)) }
    })
    if (ended.length === 0) throw failures[0]
    const { winner, agreement } = elect(
      ended.map(({ value: { does, answer, checks } }) => ({
        ...{ does, answer, weight: 1 },
        passes: checks.status === 'passed',
      })),
      context.sameAnswer,
    )
    const chosen = ended[winner] as (typeof ended)[number]
    context.workspace.adopt(chosen.workspace)
    const state = { agreement, winner: winner + 1, failed: failures.length }
    return endWith(context, { answer: chosen.value.reply, stopReason: 'done', state })
  },
})
