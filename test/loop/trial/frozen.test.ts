import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Limits } from '../../../src/schema/limits.ts'
import { LimitError } from '../../../src/text/errors.ts'
import { filesTask, withoutWall, write } from '../../helpers/machine/programs.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** Tries every operation of the context that has an effect; returns how each failed. */
async function tryAll(context: AnyContext) {
  const { ask, workspace, branch, first, checkpoint, approve } = context
  const tries: (() => unknown)[] = [
    () => ask('solver', 'more'),
    () => ask('judge', 'more'),
    () => workspace.check(),
    () => workspace.apply([{ path: 'a.txt', content: 'late' }]),
    () => workspace.adopt(workspace),
    () => context.outputs.write('late.md', 'late'),
    () => context.label({ late: 1 }),
    () => context.candidate('late'),
    () => context.note({ type: 'late' }),
    () => branch('late', async () => 1),
    () => first({ late: async () => 1 }),
    () => checkpoint({ late: true }),
    () => approve('late?'),
  ]
  const errors: unknown[] = []
  for (const attempt of tries) {
    try {
      await attempt()
      errors.push('nothing')
    } catch (error) {
      errors.push(error)
    }
  }
  return errors
}

it.each([
  ['calls', { calls: 2 }],
  ['tokens', { tokens: 220 }],
  ['costUsd', { costUsd: 0.02 }],
  ['timeMs', { timeMs: 2000 }],
  ['checks', { checks: 0 }],
] as [keyof Limits, Limits][])(
  'a method that a limit of %s has refused can do nothing more',
  async (unit, limits) => {
    const errors: unknown[] = []
    const strategy = strategyOf(async (context) => {
      const { ask, workspace } = context
      await ask('solver', 'first')
      await ask('judge', 'second')
      const refused = await (unit === 'checks' ? workspace.check() : ask('solver', 'third')).catch(
        (error) => error,
      )
      expect(refused).toBeInstanceOf(LimitError)
      errors.push(refused, ...(await tryAll(context)))
      expect(workspace.read('a.txt')).toBe('first\n')
      return { stopReason: 'done', detail: workspace.diff() }
    })
    const agent = agentOf(({ prompt }) => write(/\w+$/.exec(prompt.trim())?.[0] ?? ''))
    const setting = { agent, strategy, limits, task: filesTask() }
    const { record, steps, folder } = await playTrial(setting)
    expect(new Set(errors)).toEqual(new Set([errors[0]]))
    expect(record).toMatchObject({
      outcome: { status: 'limited', reason: expect.stringMatching(`^${unit}: `) },
      spent: { calls: 2, checks: 0 },
      claimed: 'done',
    })
    expect(steps.map(({ kind }) => kind)).toEqual(['ask', 'ask', 'limit', 'grade'])
    expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).not.toContain('"late"')
    const replayed = await playTrial({ ...setting, folder, replay: true })
    expect(replayed.divergences).toEqual([])
    expect(withoutWall(replayed.record)).toEqual(withoutWall(record))
  },
)

it('a method whose reply was cut off by the time limit can do nothing more', async () => {
  const agent = agentOf(({ timeoutMs = 0 }) => ({
    durationMs: timeoutMs,
    error: { reason: 'timeout', message: 'too late' },
  }))
  const strategy = strategyOf(async (context) => {
    const refused = await context.ask('solver', 'x').catch((error) => error)
    expect(new Set(await tryAll(context))).toEqual(new Set([refused]))
    return { stopReason: 'done' }
  })
  const { record, steps } = await playTrial({ agent, strategy, limits: { timeMs: 10 }, task: filesTask() })
  expect(record.outcome).toMatchSnapshot()
  expect(steps.map(({ kind }) => kind)).toEqual(['ask', 'grade'])
})

it('branches beside a refused one continue, and the trial stops once they are joined', async () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const strategy = strategyOf(async (context) => {
    const greedy = async ({ ask, workspace }: AnyContext) => {
      workspace.apply([{ path: 'a.txt', content: 'greedy' }])
      for (let i = 0; i < 3; i++) await ask('judge', `${i}`).catch(() => {})
      return workspace
    }
    const modest = async ({ ask, workspace }: AnyContext) => {
      await ask('judge', 'only')
      workspace.apply([{ path: 'b.txt', content: 'modest' }])
      return workspace
    }
    const [, other] = await Promise.all([context.branch('greedy', greedy), context.branch('modest', modest)])
    expect(other.read('b.txt')).toBe('modest')
    expect(new Set(await tryAll(context)).size).toBe(1)
    expect(() => context.workspace.adopt(other)).toThrow(LimitError)
    return { stopReason: 'done' }
  })
  for (const slow of ['greedy', 'modest']) {
    const agent = agentOf(({ trial }) => wait(trial.key.startsWith(slow) ? 20 : 1).then(() => 'x'))
    const { record, steps } = await playTrial({ agent, strategy, limits: { calls: 2 }, task: filesTask() })
    expect(record).toMatchObject({ outcome: { status: 'limited' }, spent: { calls: 3 }, delivered: null })
    expect(steps.filter(({ kind }) => kind === 'limit').map(({ key }) => key)).toEqual(['greedy#2'])
  }
})

it('the outcome names the refusal that is first on the virtual clock', async () => {
  const strategy = strategyOf(async ({ branch }) => {
    const asks = ({ ask }: AnyContext) => ask('judge', 'x').then(() => ask('judge', 'y'))
    const checks = async ({ ask, workspace }: AnyContext) => {
      await ask('judge', 'short')
      await workspace.check()
    }
    await Promise.allSettled([branch('asks', asks), branch('checks', checks)])
    return { stopReason: 'done' }
  })
  for (const slow of ['asks', 'checks']) {
    const agent = agentOf(async ({ trial, prompt }) => {
      await new Promise((resolve) => setTimeout(resolve, trial.key.startsWith(slow) ? 20 : 1))
      return { text: 'x', durationMs: prompt === 'short' ? 10 : 1000 }
    })
    const { record } = await playTrial({ agent, strategy, limits: { calls: 1, checks: 0 } })
    expect(record.outcome.reason).toBe('checks: 0 of 0 checks used')
  }
})

it('an effect in a joined branch is refused', async () => {
  const strategy = strategyOf(async ({ branch }) => {
    const kept: AnyContext = await branch('a', async (context) => context)
    await expect(kept.ask('solver', 'free')).rejects.toThrow('ask("solver") in branch "a", which has ended')
    await expect(kept.workspace.check()).rejects.toThrow('which has ended')
    expect(() => kept.branch('b', ({ ask }) => ask('solver', 'free'))).toThrow('which has ended')
    return { stopReason: 'done' }
  })
  const { record, steps } = await playTrial({ agent: agentOf(() => 'x'), strategy })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, spent: { calls: 0 } })
  expect(steps.filter(({ kind }) => kind === 'ask')).toEqual([])
})

it('changes to files are refused while an effect is pending', async () => {
  const edit = [{ path: 'a.txt', content: 'x' }]
  const strategy = strategyOf(async ({ branch, workspace, ask }) => {
    await branch('a', async () => {
      expect(() => workspace.apply(edit)).toThrow('workspace.apply() in the root branch while a child branch')
    })
    const asked = ask('solver', 'x')
    expect(() => workspace.adopt(workspace)).toThrow('while another effect is pending')
    await asked
    workspace.apply(edit)
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent: agentOf(() => 'x'), strategy, task: filesTask() })
  expect(record.outcome).toEqual({ status: 'completed', reason: '' })
})

it('a limit of one dollar allows exactly ten calls of ten cents', async () => {
  const agent = agentOf(() => ({ text: '41', costUsd: 0.1 }))
  const strategy = strategyOf(async ({ ask }) => {
    for (;;) await ask('solver', 'What is it?')
  })
  const { record } = await playTrial({ agent, strategy, limits: { costUsd: 1 } })
  expect(record).toMatchObject({ outcome: { status: 'limited', reason: 'costUsd: $1.0000 of $1 spent' } })
  expect(record.spent).toMatchObject({ calls: 10, costUsd: 1 })
  expect(record.overshoot).toBeUndefined()
})
