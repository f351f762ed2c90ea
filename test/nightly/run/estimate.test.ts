import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { highestCost, type MethodEstimate } from '../../../src/commands/session/estimate.ts'
import { estimateText } from '../../../src/commands/session/estimate-text.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

describe('estimate', () => {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

  it('an estimate from a single trial has no upper limit and names the remedy; a simulation has two', async () => {
    const cwd = tempFolder()
    const one = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet']
    const simulated = await benchOk([...one, '--epochs', '6', '--dry-run'], { cwd })
    expect(simulated).toMatch(
      /^total: about \$0\.\d+ \(simulated\), 95% prediction interval up to \$0\.\d+$/m,
    )
    expect(simulated).toContain('Estimated from a simulation of 2 epochs.')
    await benchOk([...one, '--out', 'single'], { cwd })
    const text = await benchOk([...one, '--epochs', '6', '--dry-run', '--estimate-from', 'single'], { cwd })
    expect(text).toMatch(
      /^total: about \$0\.\d+ \(simulated\), upper limit unknown: one trial of baseline [\s\S]*--estimate-from RUN$/m,
    )
    expect(text).not.toContain('prediction interval')
    expect(await benchOk([...one, '--dry-run'], { cwd })).toMatch(/^ +baseline +1 +1 /m)

    await benchOk([...one, '--epochs', '2', '--out', 'earlier'], { cwd })
    const better = await benchOk(argv`${one} --epochs 6 --dry-run --estimate-from earlier`, {
      cwd,
    })
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
})

const what = ['--tasks', 'answers', '--methods', 'sequential,baseline', '--quiet']
const model = 'openai-compatible:little'
const none = { lacking: 0, lackingTokens: 0 }
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function estimated(args: readonly string[], setting: { cwd: string; env?: Record<string, string> }) {
  const text = await benchOk([...what, '--dry-run', '--json', ...args], setting)
  return JSON.parse(text) as { source: string; methods: MethodEstimate[] }
}

it('--dry-run estimates a run from an earlier one at the prices of the new agents, and runs nothing', async () => {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
  const cwd = tempFolder()
  await benchOk([...what, '--out', 'earlier'], { cwd })
  const baseline = recordsOf(join(cwd, 'earlier')).filter(({ method }) => method === 'baseline')
  const tokens = sum(baseline.map(({ spent }) => spent.input + spent.output))
  const cost = sum(baseline.map(({ spent }) => spent.costUsd ?? 0))

  const same = await estimated(['--estimate-from', 'earlier', '--epochs', '3'], { cwd })
  expect(same.methods[1]).toMatchObject({ method: 'baseline', trials: 24, seen: 8, lacking: 0 })
  expect(same.methods[1]?.calls).toEqual({ middle: 24, range: { low: 24, high: 24 } })
  expect(same.methods[1]?.tokens?.middle).toBeCloseTo(3 * tokens, 6)
  expect(same.methods[1]?.costUsd?.middle).toBeCloseTo(3 * cost, 6)

  expect(same.methods[1]).not.toHaveProperty('otherTools')
  const tools = await estimated(['--estimate-from', 'earlier', '--tools', 'read'], { cwd })
  expect(tools.methods[1]).toMatchObject({ method: 'baseline', otherTools: true })

  // The price of a user's own server is unknown, never 0.
  const live = ['--mode', 'live', '--agents', model, '--allow-unsandboxed']
  const other = await estimated([...live, '--estimate-from', 'earlier'], { cwd, env })
  expect(other.methods[1]).toMatchObject({ costUsd: null, lacking: 8 })
  const text = await benchOk([...what, ...live, '--dry-run'], { cwd, env })
  expect(text).toMatch(
    /^ +baseline +8 +8 .* unknown [\s\S]*^baseline: 16 calls without a known price or tokens not counted$/m,
  )
  expect(text).toContain('total: unknown')
  expect(server.asked()).toBe(0)
  expect(existsSync(join(cwd, 'results'))).toBe(false)
})

it('--confirm-above refuses a live run whose estimate is too high or unknown, unless --yes is given', async () => {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
  const cwd = tempFolder()
  const live = argv`--tasks ferry-morning --methods baseline --quiet --mode live --agents ${model}`
  const args = [...live, '--allow-unsandboxed', '--out', 'run', '--confirm-above', '1']
  await refused(args, [/\[--confirm-above 1\] the run may cost more than \$1/, /Add --yes/], { cwd, env })
  expect(server.asked()).toBe(0)
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  await benchOk([...args, '--yes'], { cwd, env })
  expect(server.log.length).toBeGreaterThan(0)
  await refused([...live, '--confirm-above', 'much'], [/is not an amount of dollars/], { cwd, env })
  await refused([...live, '--estimate-from', 'run'], [/requires --dry-run or --confirm-above/], { cwd, env })
})

it('--dry-run of a run with an injected kill is not killed', async () => {
  const cwd = folderOf({ 'bench.config.yaml': 'run: { inject: [kill=1] }\n' })
  const plan = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--dry-run']
  for (const more of [
    ['--inject', 'timeout=0.1, kill=0.9'],
    ['--config', 'bench.config.yaml'],
  ])
    expect(await benchOk([...plan, ...more], { cwd })).toContain('baseline')
})

it('an estimate from a run with other tools says so', () => {
  const middle = (value: number) => ({ middle: value, range: null })
  const sums = { calls: middle(6), tokens: middle(60), costUsd: middle(1) }
  const method = { method: 'm', trials: 6, seen: 1, leastUsd: 1, durationMs: middle(1), ...none, ...sums }
  const shown = (methods: MethodEstimate[]) =>
    estimateText({ methods, source: 'R', prices: [], parallel: 1, simulated: false }, 100)
  expect(shown([{ ...method, otherTools: true }])).toContain(
    'm: its agents had other tools in R, so it may use more or less',
  )
  expect(shown([method])).not.toContain('tools')
})

it('highestCost is 0 if the method is free in every trial', () => {
  const middle = (value: number) => ({ middle: value, range: null })
  const free = {
    method: 'free',
    trials: 6,
    seen: 1,
    calls: middle(6),
    tokens: middle(60),
    durationMs: middle(1),
    leastUsd: 0,
    ...none,
  }
  expect(highestCost([{ ...free, costUsd: middle(0) }])).toBe(0)
  expect(highestCost([{ ...free, costUsd: middle(1) }])).toBeUndefined()
})
