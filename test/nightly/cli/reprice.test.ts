import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const model = 'openai-compatible:little'

/** A live run with calls of 1,000 input and 100 output tokens to a model outside the price table, and a price file. */
async function ran(...more: string[]) {
  const usage = { input: 1000, output: 100 }
  const server = await startModelServer([{ text: 'Answer: 42', usage, always: true }])
  onTestFinished(() => server.close())
  const cwd = folderOf({ 'mine.yaml': `prices: { ${model}: { input: 10, output: 100 } }` })
  const twice = '{ input: 20, output: 200 }'
  writeFileSync(join(cwd, 'both.yaml'), `prices: { ${model}: ${twice}, openai-compatible:other: ${twice} }`)
  writeFileSync(join(cwd, 'typo.yaml'), `prices: { openai-compatible:litle: ${twice} }`)
  writeFileSync(join(cwd, 'other.yaml'), 'prices: { openai:gpt-5: { input: 10, output: 100 } }')
  const what = ['--tasks', 'ferry-morning', '--out', 'run', '--quiet']
  await benchOk(argv`${what} --mode live --agents ${model} --allow-unsandboxed ${more}`, {
    cwd,
    env: { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` },
  })
  const calls = recordsOf(join(cwd, 'run'))[0]?.spent.calls as number
  const reprice = (...args: string[]) => benchOk(['reprice', 'run', ...args], { cwd })
  const refuse = (flag: string, file: string, ...words: string[]) =>
    refused(['reprice', 'run', flag, file], words, { cwd })
  return { calls, usd: 0.02 * calls, reprice, refuse }
}

it('bench reprice prints the billed cost of a call without a present price, and null instead of 0 for unknown costs', async () => {
  const { calls, usd, reprice } = await ran('--methods', 'baseline', '--prices', 'mine.yaml')
  const text = await reprice()
  expect(text).toMatch(/billed \$0\.0\d+, now unknown \(\d+ calls? ha(s|ve) none now\)/)
  expect(text).toMatch(
    /^Billed by the run's own prices \(openai-compatible:little\), else @pydantic.*; now @pydantic/,
  )
  const { methods, billedByFile, pricedByFile } = JSON.parse(await reprice('--json'))
  expect({ billedByFile, pricedByFile }).toEqual({ billedByFile: [model], pricedByFile: null })
  const unknownNow = { presentUsd: null, change: null, compared: 0, unknownNow: calls, unknownThen: 0 }
  expect(methods).toEqual([expect.objectContaining({ ...unknownNow, billedUsd: expect.closeTo(usd, 9) })])
})

it('bench reprice prints the present price if the billed cost is unknown, and names the price file', async () => {
  const { calls, usd, reprice, refuse } = await ran('--methods', 'baseline')
  const text = await reprice('--prices', 'mine.yaml')
  expect(text).toMatch(/billed unknown, now \$0\.0\d+ \(\d+ calls? had no price\)/)
  expect(text).toMatch(/^Billed by @pydantic.*; now mine\.yaml \(openai-compatible:little\), else @pydantic/)
  const { methods } = JSON.parse(await reprice('--prices', 'mine.yaml', '--json'))
  const unknownThen = { billedUsd: null, change: null, compared: 0, unknownNow: 0, unknownThen: calls }
  expect(methods).toEqual([expect.objectContaining({ ...unknownThen, presentUsd: expect.closeTo(usd, 9) })])
  await refuse('--prices', 'other.yaml', '[--prices other.yaml] has no price of an agent of this run')
  await refuse(
    '--prices',
    'typo.yaml',
    'typo.yaml:1',
    'no agent is "openai-compatible:litle"',
    'Did you mean',
  )
})

it('bench reprice computes the change over the calls that have both prices', async () => {
  const { reprice } = await ran(
    ...['--prices', 'both.yaml', '--methods', 'sequential'],
    ...['--agent', 'contract-writer=openai-compatible:other'],
  )
  const { methods } = JSON.parse(await reprice('--prices', 'mine.yaml', '--json'))
  const [{ calls, compared, unknownNow, billedUsd, presentUsd, change }] = methods
  expect([calls, unknownNow > 0, compared > 0]).toEqual([compared + unknownNow, true, true])
  // Calls in both sums cost half as much now; calls without a present price were billed the same per call.
  expect(billedUsd).toBeCloseTo(0.04 * calls, 9)
  expect(presentUsd).toBeCloseTo(0.02 * compared, 9)
  expect(change).toBeCloseTo(-0.5, 9)
  expect(await reprice('--prices', 'mine.yaml')).toMatch(
    /, -50\.0% over \d+ calls? with both \(\d+ calls? ha(s|ve) none now\)/,
  )
})
