import { it } from 'vitest'
import { expectSame, replays, runInTwo, runOnce } from '../../cli/run/determinism-scenario.ts'

it('records of graphs are byte-identical at parallel 1 and 8, stopped, killed and replayed', {
  timeout: 900_000,
}, async () => {
  const methods = 'dag:composition,dag:hierarchical,dag:planner_executor,dag:referee,dag:multi_step'
  const plan = ['--tasks', 'answers,line-patch', '--methods', methods, '--seed', '3']
  const one = await runOnce(plan, {}, '--parallel', '1')
  const eight = await runOnce(plan, {}, '--parallel', '8')
  expectSame(eight, one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGINT', eight), one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGKILL', eight), one)
  await replays(one, 20)
})
