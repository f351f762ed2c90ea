import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectSame, replays, runInTwo, runOnce } from '../../cli/run/determinism-scenario.ts'
import { argv } from '../../helpers/runs/argv.ts'

const plan = argv`--tasks all --methods sequential,P=sequential[parallel=2],baseline,integrated --seed 3`

it(`records of all tasks are byte-identical at parallel 1 and 8, stopped, killed and replayed 100 times`, {
  timeout: 900_000,
}, async () => {
  const one = await runOnce(plan, {}, '--parallel', '1')
  const { trials } = JSON.parse(readFileSync(join(one.folder, 'run.json'), 'utf8')) as { trials: number }
  expect(one.lines).toHaveLength(trials)
  expect(trials).toBeGreaterThanOrEqual(4 * 16)
  const eight = await runOnce(plan, {}, '--parallel', '8')
  expectSame(eight, one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGINT', eight), one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGKILL', eight), one)
  await replays(one, 100)
})
