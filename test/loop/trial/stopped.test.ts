import { expect, it } from 'vitest'
import { Interrupted } from '../../../src/loop/branch/recorded-steps.ts'
import { openRunBudget } from '../../../src/loop/budget/run-budget.ts'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { stepsOf } from '../../../src/loop/journal/ledger-index.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const atMost = (calls: number) =>
  openRunBudget({ run: { calls }, methods: {} }, new Map(), () => 0, {
    onAlert() {},
    onUncounted: () => false,
  })

const echo = (paid = false) => agentOf(({ trial: { key } }) => `said at ${key}`, { paid })

/** Catches every error, and tries to journal the result. */
const stubborn = strategyOf(async ({ ask, branch, checkpoint, workspace, note }: AnyContext) => {
  const quiet = (work: () => Promise<unknown>) => work().catch(() => 'nothing')
  const seen: unknown[] = []
  for (let round = 0; round < 3; round++) {
    const found = await Promise.all(
      ['a', 'b', 'c'].map((name) => branch(name, ({ ask }: AnyContext) => quiet(() => ask('planner', name)))),
    )
    seen.push(found)
    note({ type: 'seen', round, found: JSON.stringify(found) })
    await quiet(() => checkpoint({ seen }))
    await quiet(() => workspace.check())
    seen.push(await quiet(() => ask('solver', JSON.stringify(seen))))
  }
  return { answer: JSON.stringify(seen), stopReason: 'done' }
})

const withoutWall = ({ wall: _, ...rest }: { wall: unknown }) => rest

it('a stopped method writes nothing, so that its trial resumes as if it had not been stopped', async () => {
  const calm = await playTrial({ agent: echo(), strategy: stubborn })
  for (const paid of [false, true])
    for (let calls = 1; calls < 12; calls++) {
      const folder = tempFolder()
      const stopped = playTrial({ agent: echo(paid), strategy: stubborn, folder, runBudget: atMost(calls) })
      await expect(stopped).rejects.toThrow(Interrupted)
      const done = [...stepsOf(folder, calm.record.trial, openBlobs(folder))]
      expect(done.filter(({ kind }) => kind === 'ask')).toHaveLength(calls)
      const asked: string[] = []
      const again = agentOf(({ trial: { key } }) => {
        asked.push(key)
        return `said at ${key}`
      })
      const { record, divergences } = await playTrial({ agent: again, strategy: stubborn, folder })
      expect(divergences).toEqual([])
      expect(asked).toHaveLength(12 - calls)
      expect(withoutWall(record)).toEqual(withoutWall(calm.record))
    }
})

it('a method that keeps asking after it was stopped ends', async () => {
  const spinning = strategyOf(async ({ ask }: AnyContext) => {
    for (;;) await ask('solver', 'more').catch(() => {})
  })
  await expect(playTrial({ agent: echo(), strategy: spinning, runBudget: atMost(3) })).rejects.toThrow(
    Interrupted,
  )
})

it('a call in flight ends and is journaled when another branch of its trial is stopped', async () => {
  const racing = strategyOf(async ({ first }: AnyContext) => {
    const { value } = await first({
      slow: ({ ask }: AnyContext) => ask('solver', 'slow'),
      twice: async ({ ask }: AnyContext) => {
        await ask('planner', 'one')
        return ask('solver', 'two')
      },
    })
    return { answer: String(value), stopReason: 'done' }
  })
  const folder = tempFolder()
  const agent = agentOf(
    async ({ prompt }) => {
      await new Promise((resolve) => setTimeout(resolve, prompt.includes('slow') ? 50 : 1))
      return 'reply'
    },
    { paid: true },
  )
  const setting = { agent, strategy: racing, folder, mode: 'live' as const }
  await expect(playTrial({ ...setting, runBudget: atMost(2) })).rejects.toThrow(Interrupted)
  const { record, steps } = await playTrial(setting)
  expect(steps.filter(({ kind, payer }) => kind === 'ask' && payer === 'void')).toEqual([])
  expect(record.outcome.status).toBe('completed')
})

it('a method that only runs checks stops when the time of the run is over', async () => {
  let now = 0
  const runBudget = openRunBudget({ run: { timeMs: 10 }, methods: {} }, new Map(), () => now, {
    onAlert() {},
    onUncounted: () => false,
  })
  let checks = 0
  const checking = strategyOf(async ({ workspace }: AnyContext) => {
    for (; checks < 40; checks++) {
      await workspace.check()
      now += 4
    }
    return { stopReason: 'done' }
  })
  await expect(playTrial({ agent: echo(), strategy: checking, runBudget })).rejects.toThrow(Interrupted)
  expect(checks).toBe(3)
  expect(runBudget.limitUses()).toMatchObject([
    { scope: 'run', limit: 'timeMs', used: 12, over: 2, stopped: true },
  ])
})
