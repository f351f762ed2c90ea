import { expect, it } from 'vitest'
import { paidPlan } from '../cli/run/crash-scenario.ts'
import { expectSame, replays, runInTwo, runOnce } from '../cli/run/determinism-scenario.ts'
import { argv } from '../helpers/runs/argv.ts'

// Tasks with code and answers, checks, and several agents.
const plan = argv`--tasks duration-text,ferry-morning --methods baseline,sequential,integrated --seed 7`

// Killed at any moment: crash.test.ts, and the heavy tests.
it('records are byte-identical at any parallelism, and also when stopped and resumed', async () => {
  const one = await runOnce(plan, {}, '--parallel', '1')
  expect(one.lines).toHaveLength(2 * 3)
  expectSame(await runOnce(plan, {}, '--parallel', '8'), one)
  const stopped = await runInTwo([...plan, '--parallel', '1'], 'SIGINT', one)
  expectSame(stopped, one)
  // A hundred times: the heavy tests.
  await replays(one, 2)
  await replays(stopped, 1)
})

it('records are the same whichever of several branches really ends first', async () => {
  const one = await runOnce(paidPlan, { WORKER_MS: '10' }, '--parallel', '8')
  expectSame(await runOnce(paidPlan, { WORKER_MS: '10' }, '--parallel', '8'), one)
  await replays(one, 1)
})

it('another seed gives other records', async () => {
  const plan = ['--tasks', 'answers', '--methods', 'baseline']
  const one = await runOnce(plan, {}, '--seed', '1')
  expectSame(await runOnce(plan, {}, '--seed', '1'), one)
  const other = await runOnce(plan, {}, '--seed', '2')
  expect(other.lines).toHaveLength(one.lines.length)
  for (const line of other.lines) expect(one.lines).not.toContain(line)
})
