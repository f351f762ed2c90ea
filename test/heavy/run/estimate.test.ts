import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

it('an estimate from a single trial has no upper limit, names the remedy, and requires confirmation', async () => {
  const cwd = tempFolder()
  const one = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet']
  const text = await benchOk([...one, '--epochs', '6', '--dry-run'], { cwd })
  expect(text).toMatch(
    /^total: about \$0\.\d+, upper limit unknown: one trial of baseline .*--estimate-from RUN$/m,
  )
  expect(text).not.toContain('at most')
  expect(await benchOk([...one, '--dry-run'], { cwd })).toMatch(/^baseline: 1 trial, 1 call, /)

  await benchOk([...one, '--epochs', '2', '--out', 'earlier'], { cwd })
  const better = await benchOk([...one, '--epochs', '6', '--dry-run', '--estimate-from', 'earlier'], { cwd })
  const [high = 0] =
    /, at most \$([\d.]+) \(95% prediction interval\)$/m.exec(better)?.slice(1).map(Number) ?? []
  await benchOk([...one, '--epochs', '6', '--out', 'whole'], { cwd })
  expect(high).toBeGreaterThan(sum(recordsOf(join(cwd, 'whole')).map(({ spent }) => spent.costUsd ?? 0)))

  const env = { OPENAI_API_KEY: 'sk-live-test-0123456789abcdef' }
  const asked = [...one, '--mode', 'live', '--agents', 'openai:gpt-5', '--allow-unsandboxed', '--out', 'run']
  await refused([...asked, '--confirm-above', '1000'], ['upper limit unknown', 'Add --yes'], { cwd, env })
})
