import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

it('an estimate from a single trial has no upper limit and names the remedy; a simulation has two', async () => {
  const cwd = tempFolder()
  const one = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet']
  const simulated = await benchOk([...one, '--epochs', '6', '--dry-run'], { cwd })
  expect(simulated).toMatch(/^total: about \$0\.\d+, 95% prediction interval up to \$0\.\d+$/m)
  expect(simulated).toContain('Estimated from a simulation of 2 epochs.')
  await benchOk([...one, '--out', 'single'], { cwd })
  const text = await benchOk([...one, '--epochs', '6', '--dry-run', '--estimate-from', 'single'], { cwd })
  expect(text).toMatch(
    /^total: about \$0\.\d+, upper limit unknown: one trial of baseline [\s\S]*--estimate-from RUN$/m,
  )
  expect(text).not.toContain('prediction interval')
  expect(await benchOk([...one, '--dry-run'], { cwd })).toMatch(/^ +baseline +1 +1 /m)

  await benchOk([...one, '--epochs', '2', '--out', 'earlier'], { cwd })
  const better = await benchOk([...one, '--epochs', '6', '--dry-run', '--estimate-from', 'earlier'], { cwd })
  const [high = 0] = /, 95% prediction interval up to \$([\d.]+)$/m.exec(better)?.slice(1).map(Number) ?? []
  await benchOk([...one, '--epochs', '6', '--out', 'whole'], { cwd })
  expect(high).toBeGreaterThan(sum(recordsOf(join(cwd, 'whole')).map(({ spent }) => spent.costUsd ?? 0)))

  const server = await startModelServer([])
  onTestFinished(() => server.close())
  writeFileSync(join(cwd, 'prices.yaml'), 'prices: { "openai:gpt-5": { input: 1, output: 10 } }\n')
  const env = { OPENAI_API_KEY: 'sk-live-test-0123456789abcdef', OPENAI_BASE_URL: `${server.url}/v1` }
  const agent = ['--agents', 'openai:gpt-5', '--prices', 'prices.yaml']
  const asked = [...one, '--mode', 'live', ...agent, '--allow-unsandboxed', '--out', 'run']
  const above = (usd: string) => [...asked, '--confirm-above', usd]
  const from = ['--estimate-from', 'single']
  await refused([...above('1000'), ...from], ['upper limit unknown', 'Add --yes'], { cwd, env })
  await refused(above('0.0001'), ['prediction interval up to $', 'a simulation of 2 epochs', 'Add --yes'], {
    cwd,
    env,
  })

  // Without a key the plan is estimated all the same, at the price of the file.
  const keyless = { ...env, OPENAI_API_KEY: '' }
  const dry = await bench([...asked, '--dry-run'], { cwd, env: keyless })
  expect(dry.stderr).toMatch(/note: the run needs this: .*OPENAI_API_KEY is not set/)
  expect(dry.stdout).toMatch(/openai:gpt-5 \(your own prices\) +\$1\.00 +\$10\.00/)
  expect(dry.stdout).toMatch(/^time: about /m)
})
