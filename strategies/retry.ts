import { z } from 'zod'
import { defineStrategy, type StrategyResult, type Workspace } from '../src/strategy.ts'
import { sideBySide } from '../src/workflows/attempts.ts'
import { endWith } from '../src/workflows/end.ts'
import { solve } from '../src/workflows/work-context.ts'

/** Asks again, from the beginning, until the visible checks pass: the simplest use of feedback. */
export const retry = defineStrategy({
  name: 'retry',
  summary:
    'The ask of the baseline again and again, each time from the beginning, until the visible checks pass.',
  roles: { solver: 'produce' },
  declaration: {
    flow: { repeat: { beside: 'solver', times: 1 }, most: 'n' },
    stop: 'the visible checks pass, there are none, or the attempts are used up',
    context: 'the task and its files; no attempt knows of another',
    asks: 'task',
  },
  attempts: 'n',
  options: z.strictObject({ n: z.int().positive().default(5).describe('maximum number of attempts') }),

  async run(context) {
    const { n } = context.options
    let best: { value: { reply: string; passed: number }; workspace: Workspace } | undefined
    const end = (stopReason: StrategyResult['stopReason'], detail: string): StrategyResult => {
      // Only now, so that each attempt begins with the task's files.
      if (best) context.workspace.adopt(best.workspace)
      return endWith(context, { answer: best?.value.reply ?? '', stopReason, detail })
    }
    let failure: Error | undefined
    for (let attempt = 1; attempt <= n; attempt++) {
      context.label({ attempt })
      const { ended, failures } = await sideBySide(context, [`attempt-${attempt}`], async (branch) => {
        const reply = await solve(branch, 'solver')
        return { reply, ...(await branch.workspace.check()) }
      })
      failure ??= failures[0]
      const [made] = ended
      if (!made) continue
      const { status, passed, total } = made.value
      if (best === undefined || passed > best.value.passed) best = made
      if (status === 'none') return end('done', 'the task has no visible checks')
      if (status === 'passed') return end('done', `attempt ${attempt} passes all ${total} visible checks`)
    }
    if (best === undefined) throw failure
    return end('exhausted', `no attempt of ${n} passes the visible checks`)
  },
})
