import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { benchOk, recordsOf } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'
import { startModelServer } from '../model-server/server.ts'

const model = 'openai-compatible:little'

/** A live run of a call of 1,000 tokens in and 100 out to a model that no table prices, and a price file of one's own. */
async function ran(...more: string[]) {
  const usage = { input: 1000, output: 100 }
  const server = await startModelServer([{ text: 'Answer: 42', usage, always: true }])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'mine.yaml'), `prices: { ${model}: { input: 10, output: 100 } }`)
  writeFileSync(join(cwd, 'other.yaml'), 'prices: { openai:gpt-5: { input: 10, output: 100 } }')
  const what = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--out', 'run', '--quiet']
  await benchOk([...what, '--mode', 'live', '--agents', model, '--allow-unsandboxed', ...more], {
    cwd,
    env: { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` },
  })
  const calls = recordsOf(join(cwd, 'run'))[0]?.spent.calls as number
  const reprice = (...args: string[]) => benchOk(['reprice', 'run', ...args], { cwd })
  return { calls, usd: 0.02 * calls, reprice }
}

it('tells what was billed although a call has no price now, and null instead of 0 for what nobody knows', async () => {
  const { calls, usd, reprice } = await ran('--prices', 'mine.yaml')
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

it('tells the present price although nothing is known of the bill, and names the file that prices', async () => {
  const { calls, usd, reprice } = await ran()
  const text = await reprice('--prices', 'mine.yaml')
  expect(text).toMatch(/billed unknown, now \$0\.0\d+ \(\d+ calls? had no price\)/)
  expect(text).toMatch(/^Billed by @pydantic.*; now mine\.yaml \(openai-compatible:little\), else @pydantic/)
  const { methods } = JSON.parse(await reprice('--prices', 'mine.yaml', '--json'))
  const unknownThen = { billedUsd: null, change: null, compared: 0, unknownNow: 0, unknownThen: calls }
  expect(methods).toEqual([expect.objectContaining({ ...unknownThen, presentUsd: expect.closeTo(usd, 9) })])
  expect(await reprice('--prices', 'other.yaml')).toContain('other.yaml (which holds no agent of this run)')
})
