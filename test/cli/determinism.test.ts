import { expect, it } from 'vitest'
import { paidPlan } from './crash-scenario.ts'
import { expectSame, replays, runInTwo, runOnce } from './determinism-scenario.ts'

// Code and answers, checks and several agents.
const plan = [
  '--tasks',
  'money-split,ferry-morning,lamp-paths',
  '--methods',
  'baseline,sequential,integrated',
  '--seed',
  '7',
]

it('gives byte-identical records at any parallelism, and also when stopped or killed and resumed', async () => {
  const one = await runOnce(plan, {}, '--parallel', '1')
  expect(one.lines).toHaveLength(3 * 3)
  expectSame(await runOnce(plan, {}, '--parallel', '8'), one)
  expectSame(await runInTwo([...plan, '--parallel', '1'], 'SIGINT', one), one)
  const killed = await runInTwo([...plan, '--parallel', '2'], 'SIGKILL', one)
  expectSame(killed, one)
  await replays(one, 5)
  await replays(killed, 2)
})

it('gives the same records whichever of several branches really ends first', async () => {
  const one = await runOnce(paidPlan, { WORKER_MS: '10' }, '--parallel', '8')
  expectSame(await runOnce(paidPlan, { WORKER_MS: '10' }, '--parallel', '8'), one)
  await replays(one, 2)
})

it('gives other records for another seed', async () => {
  const plan = ['--tasks', 'answers', '--methods', 'baseline']
  const one = await runOnce(plan, {}, '--seed', '1')
  expectSame(await runOnce(plan, {}, '--seed', '1'), one)
  const other = await runOnce(plan, {}, '--seed', '2')
  expect(other.lines).toHaveLength(one.lines.length)
  for (const line of other.lines) expect(one.lines).not.toContain(line)
})
