import { execa } from 'execa'
import { expect, it } from 'vitest'
import { benchOk, root } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

it('times every inner part that the report of speeds names', async () => {
  const cwd = tempFolder()
  await benchOk(['--tasks', 'ferry-morning', '--methods', 'baseline', '--out', 'run', '--quiet'], { cwd })
  const { stdout } = await execa(process.execPath, ['scripts/perf/inner.mjs', `${cwd}/run`], { cwd: root })
  const parts = JSON.parse(stdout) as { what: string; microseconds: number }[]
  expect(parts).toHaveLength(7)
  for (const { what, microseconds } of parts) expect(microseconds, what).toBeGreaterThan(0)
})
