import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, manifestOf, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { writeNumberTask } from '../../helpers/scenarios/changing-run.ts'
import { startModelServer } from '../../model-server/server.ts'

const usage = { input: 1000, output: 100 }
const price = '{ input: 10, output: 100 }'

/** A folder with a config file for a server whose calls use 1,000 and 100 tokens: two cents at `price`. */
async function folderOf(...lines: string[]) {
  const server = await startModelServer([{ text: 'Answer: 42', usage, always: true }])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  const write = (name: string, ...text: string[]) =>
    writeFileSync(join(cwd, name), `${text.join('\n').replaceAll('URL', `${server.url}/v1`)}\n`)
  const run =
    'run: { mode: live, tasks: ferry-morning, methods: baseline, agents: coder, allowUnsandboxed: true }'
  write('bench.config.yaml', run, ...lines)
  const ran = async (...args: string[]) => {
    await benchOk(['--quiet', '--out', 'run', ...args], { cwd })
    return recordsOf(join(cwd, 'run'))[0]?.spent
  }
  return { cwd, server, write, ran, ok: (...args: string[]) => benchOk(args, { cwd }) }
}

const object = 'agents: { coder: { provider: openai-compatible, model: m, baseUrl: "URL" } }'
const text = [
  'agents: { coder: "openai-compatible:m" }',
  'providers: { openai-compatible: { baseUrl: "URL" } }',
]

it.each([
  ['the label', 'coder', [object]],
  ['the label of a short entry', 'coder', text],
  ['provider and model', 'openai-compatible:m', text],
])('a price by %s is found by run, dry run, reprice and doctor', async (_, key, lines) => {
  const { cwd, write, ran, ok } = await folderOf(...lines, `prices: { "${key}": ${price} }`)
  expect(await ok('--dry-run')).toMatch(/^ *baseline +\d+ +\d+ +[\d,]+ +\$0\.\d+ /m)
  const spent = await ran()
  expect(spent?.costUsd).toBeCloseTo(0.02 * (spent?.calls ?? 0), 9)
  expect(await ok('doctor', '--call', 'coder')).toContain('$0.020000')

  write('mine.yaml', `prices: { "${key}": { input: 20, output: 200 } }`)
  const billed = await ok('reprice', 'run', '--prices', 'mine.yaml')
  expect(billed).toMatch(/^Billed by the run's own prices \((coder=)?openai-compatible:m\), else /)
  expect(billed).toMatch(/billed \$0\.0\d+, now \$0\.0\d+, \+100\.0%/)

  // Old tokens have the new prices, also after a run without any.
  const [old, now] = await Promise.all(
    [[], ['--prices', 'mine.yaml']].map((more) =>
      ok('--dry-run', '--json', '--estimate-from', 'run', ...more),
    ),
  )
  const middle = (json = '') => JSON.parse(json).methods[0].costUsd.middle
  expect(middle(now)).toBeCloseTo(2 * middle(old), 9)
  expect(manifestOf(join(cwd, 'run')).prices?.file).toBeDefined()
})

it('--estimate-from prices the tokens of a run that had no prices', async () => {
  const { write, ran, ok } = await folderOf(object)
  expect((await ran())?.costUsd).toBeNull()
  write('mine.yaml', `prices: { coder: ${price} }`)
  expect(await ok('--dry-run', '--estimate-from', 'run', '--prices', 'mine.yaml')).toContain(
    'total: about $0.02',
  )
  expect(await ok('doctor', '--call', 'coder', '--prices', 'mine.yaml')).toContain('$0.020000')

  // The config file beside the run prices it, too, and the file of --prices wins under one name.
  write('bench.config.yaml', object, 'prices: { coder: { input: 20, output: 200 } }')
  expect(await ok('reprice', 'run')).toMatch(
    /; now bench\.config\.yaml \(coder=openai-compatible:m\), else @pydantic.*\n.*billed unknown, now \$0\.04/,
  )
  expect(await ok('reprice', 'run', '--prices', 'mine.yaml')).toMatch(/; now mine\.yaml .*\n.*now \$0\.02/)
  expect(await ok('reprice', 'run', '--no-config')).toMatch(/; now @pydantic.*\n.*now unknown/)
})

it('agents that share a model have prices of their own', async () => {
  const two =
    'agents: { coder: { provider: openai-compatible, model: m, baseUrl: "URL" }, other: { provider: openai-compatible, model: m, baseUrl: "URL", maxOutput: 9 } }'
  const { cwd, ran } = await folderOf(two, `prices: { coder: ${price}, other: { input: 20, output: 200 } }`)
  await ran('--agents', 'coder,other')
  const costs = recordsOf(join(cwd, 'run')).map(({ agentSet, spent }) => [agentSet, spent.costUsd])
  expect(Object.fromEntries(costs)).toEqual({ coder: 0.02, other: 0.04 })
})

it.each([
  ['a typo in the model', 'openai-compatible:mm', 'Did you mean "openai-compatible:m"?'],
  ['a typo in the label', 'codr', 'Did you mean "coder"?'],
  ['another agent', 'google:gemini-2.5-pro', 'Write the name of an agent: '],
])('a price of the config file for %s is refused with its line', async (_, key, remedy) => {
  const { cwd, server } = await folderOf(object, `prices: { "${key}": ${price} }`)
  const facts = ['bench.config.yaml:3 prices.', `no agent is "${key}"`, remedy]
  await refused(['--quiet', '--out', 'run'], facts, { cwd })
  expect(server.asked()).toBe(0)
})

it('a price file may hold prices of other agents, but no name that is nearly one of the run', async () => {
  const { cwd, write, ran } = await folderOf(object)
  write('typo.yaml', `prices:`, `  openai:gpt-5: ${price}`, `  openai-compatible:mm: ${price}`)
  const facts = ['typo.yaml:3 prices.', 'Did you mean "openai-compatible:m"?']
  await refused(['--quiet', '--out', 'run', '--prices', 'typo.yaml'], facts, { cwd })
  write('shared.yaml', `prices: { "openai:gpt-5": ${price}, "openai-compatible:m": ${price} }`)
  expect((await ran('--prices', 'shared.yaml'))?.costUsd).toBeCloseTo(0.02, 9)
})

it('two labels of one agent cannot have two prices', async () => {
  const [, providers] = text
  const { cwd } = await folderOf(
    'agents: { coder: "openai-compatible:m", other: "openai-compatible:m" }',
    ...[providers ?? '', `prices: { coder: ${price}, other: { input: 1, output: 1 } }`],
  )
  await refused(argv`--quiet --out run`, ['differs from the price of "coder"', 'agents.other.prices'], {
    cwd,
  })
})

it.each([
  [['--max-cost', '0.10'], '[--max-cost 0.10]'],
  [['--limit', 'costUsd=1'], '[--limit costUsd=1]'],
  [['--tasks', 'native:own'], '[task.yaml limits.costUsd of own/a]'],
])('a limit in dollars that cannot hold is refused without --allow-unpriced: %j', async (limit, where) => {
  const { cwd, server } = await folderOf(object)
  writeNumberTask(join(cwd, 'own'), 'a', 42, { costUsd: 0.5 })
  const facts = [where, 'the price of coder=openai-compatible:m is unknown', '--allow-unpriced']
  await refused(['--quiet', '--out', 'run', ...limit], facts, { cwd })
  expect(server.asked()).toBe(0)
  const { code, stderr } = await bench(['--quiet', '--out', 'run', ...limit, '--allow-unpriced'], { cwd })
  expect([code, stderr]).toEqual([0, expect.stringContaining('counted only if the server tells their cost')])
  expect(manifestOf(join(cwd, 'run')).allowUnpriced).toBe(true)
})

it('a limit of the run does not cut its estimate, and caps what needs a confirmation', async () => {
  const { cwd, ok, write } = await folderOf(object, `prices: { coder: ${price} }`)
  const free = await ok('--dry-run', '--json')
  const limited = await ok('--dry-run', '--json', '--max-cost', '0.001', '--method-limit', 'calls=1')
  expect(JSON.parse(limited).methods).toEqual(JSON.parse(free).methods)
  expect(await ok('--dry-run', '--max-cost', '0.001')).toContain('the run stops at $0.00100 (--max-cost)')
  const { code } = await bench(argv`--quiet --out run --max-cost 0.1 --confirm-above 1`, {
    cwd,
  })
  expect(code).toBe(0)
  write('mine.yaml', 'prices: { coder: { input: 1000000, output: 1 } }')
  const dear = ['--quiet', '--out', 'dear', '--prices', 'mine.yaml', '--confirm-above', '1']
  await refused(dear, ['may cost more than $1'], { cwd })
})
