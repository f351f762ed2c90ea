import { expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { contrary, wait } from '../../helpers/agents/contrary.ts'
import { type AnyContext, agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const files = { 'a.txt': 'old\n' }
const fileTask = answerTask({ output: 'files', editable: ['**'] }, files)

it('an effect gets its key from its branch and a counter, whichever effect ends first', async () => {
  const strategy = strategyOf(async ({ ask, branch }) => {
    await ask('planner', 'plan')
    await Promise.all(
      ['slow', 'fast'].map((name, i) =>
        branch(name, async ({ ask, branch }) => {
          await ask('judge', `takes ${i === 0 ? 200 : 10}`)
          await branch('inner', ({ ask }) => ask('judge', 'takes 10'))
        }),
      ),
    )
    await ask('planner', 'wrap up')
    return { answer: '42', stopReason: 'done' }
  })
  const { steps, record } = await playTrial({ agent: contrary, strategy })
  expect(
    steps
      .filter(({ kind }) => kind === 'ask')
      .map(({ key }) => key)
      .sort(),
  ).toEqual(['#0', '#1', 'fast#0', 'fast/inner#0', 'slow#0', 'slow/inner#0'])
  // 10 + max(200 + 10, 10 + 10) + 10
  expect(record.durationMs).toBe(230)
  expect(steps.find(({ key }) => key === '#1')).toMatchObject({ at: 220 })
})

it('branches of the same name are numbered, so that loops can reuse a name', async () => {
  const { steps } = await playTrial({
    agent: contrary,
    strategy: strategyOf(async ({ branch }) => {
      for (let i = 0; i < 2; i++) await branch('try', ({ ask }) => ask('judge', 'x'))
      return { stopReason: 'done' }
    }),
  })
  expect(steps.filter(({ kind }) => kind === 'ask').map(({ key }) => key)).toEqual(['try#0', 'try~2#0'])
})

/** An agent that replies immediately, as simulated ones do. */
const instant: Agent = {
  ...agentOf(() => ''),
  ask: async () => ({ text: 'x', tokens: { input: 1, output: 1, cached: 0 }, costUsd: 0, durationMs: 10 }),
}

it.each([
  { what: 'an agent that answers later', agent: contrary },
  { what: 'an agent that answers immediately', agent: instant },
])('a second effect beside one of $what is refused, and the error names branch()', async ({ agent }) => {
  const both = (...effects: ((context: AnyContext) => unknown)[]) =>
    playTrial({
      agent,
      strategy: strategyOf(async (context) => {
        await Promise.all(effects.map((effect) => effect(context)))
        return { stopReason: 'done' }
      }),
    })
  const ask = ({ ask }: AnyContext) => ask('judge', 'one')
  for (const other of [
    ({ ask }: AnyContext) => ask('judge', 'two'),
    ({ workspace }: AnyContext) => workspace.check(),
    ({ checkpoint }: AnyContext) => checkpoint({ n: 1 }),
    ({ approve }: AnyContext) => approve('May I?'),
  ])
    for (const effects of [
      [ask, other],
      [other, ask],
    ])
      expect((await both(...effects)).record.outcome).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('branch()'),
      })
})

it('an effect that resolves immediately is followed by the next one', async () => {
  const { record } = await playTrial({
    agent: instant,
    strategy: strategyOf(async ({ ask, branch }) => {
      for (let i = 0; i < 3; i++) await ask('judge', 'again')
      await branch('a', ({ ask }) => ask('judge', 'in a branch'))
      void ask('judge', 'and gone')
      return { stopReason: 'done' }
    }),
  })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, spent: { calls: 5 } })
})

it('a failed branch rejects after all branches of its group have ended, the first opened one first', async () => {
  const ended: string[] = []
  const { record } = await playTrial({
    agent: contrary,
    strategy: strategyOf(async ({ branch }) => {
      await Promise.all([
        branch('late', async () => {
          await wait(20)
          ended.push('late')
          throw new Error('late failed')
        }),
        branch('early', async () => {
          ended.push('early')
          throw new Error('early failed')
        }),
      ])
      return { stopReason: 'done' }
    }),
  })
  expect(ended).toEqual(['early', 'late'])
  expect(record.outcome.reason).toContain('late failed')
})

it('branches have separate files, and the chosen branch is adopted', async () => {
  const { branch: root } = await playTrial({
    agent: agentOf(({ prompt }) => `FILE: a.txt\n\`\`\`\n${/\d/.exec(prompt.slice(-1))?.[0]}\n\`\`\``),
    task: fileTask,
    strategy: strategyOf(async ({ branch, workspace }) => {
      const made = await Promise.all(
        [1, 2].map((n) =>
          branch(`b${n}`, async ({ ask, workspace }) => {
            await ask('solver', `write ${n}`)
            expect(workspace.read('a.txt')).toBe(`${n}\n`)
            return workspace
          }),
        ),
      )
      expect(workspace.read('a.txt')).toBe('old\n')
      workspace.adopt(made[1] as typeof workspace)
      expect(workspace.diff()).toContain('-old\n+2\n')
      return { stopReason: 'done' }
    }),
  })
  expect([...root.state.changed]).toEqual([['a.txt', '2\n']])
  expect(fileTask.files).toEqual({ 'a.txt': 'old\n' })
})

it('a branch has its own bill, which counts against the limits of its parent after the join', async () => {
  const strategy = strategyOf(async ({ ask, branch }) => {
    await Promise.all(
      [1, 2, 3].map((n) =>
        branch(`b${n}`, async ({ ask }) => {
          await ask('judge', 'a')
          await ask('judge', 'b')
        }),
      ),
    )
    await ask('judge', 'never')
    return { stopReason: 'done' }
  })
  const { record, steps } = await playTrial({ agent: contrary, strategy, limits: { calls: 2 } })
  expect(record).toMatchObject({
    outcome: { status: 'limited', reason: 'calls: 6 of 2 calls used' },
    spent: { calls: 6 },
    overshoot: { calls: 4 },
  })
  expect(steps.filter(({ kind }) => kind === 'limit')).toMatchObject([{ key: '#0', limit: 'calls' }])
})
