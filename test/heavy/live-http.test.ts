import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { preambleHash } from '../../src/loop/ask/prompt.ts'
import {
  families,
  familyAgents,
  familySetting,
  familyStrategy,
  key,
} from '../helpers/agents/wire-families.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import {
  asksOf,
  benchOk,
  manifestOf,
  recordsOf,
  refused,
  root,
  shareProcess,
  soon,
  startBench,
  until,
} from '../helpers/runs/cli.ts'

shareProcess()

const live = (agent: string, folder: string) =>
  argv`--mode live --tasks ferry-morning --methods baseline --agents ${agent} --out ${folder} --quiet
    --allow-unsandboxed`

it('the ledger holds the server’s token counts for every family, also if an attempt broke off', async () => {
  const seen = new Set<string>()
  const { server, env, folder } = await familySetting(({ model }) => {
    const first = !seen.has(model)
    seen.add(model)
    if (first) return { text: 'I do not know.', failure: { kind: 'cut' } }
    return { text: 'The answer is 42.', thinking: 'Six times seven.' }
  })
  const methods = familyStrategy("ask(name, 'Answer.')")
  const args = ['--mode', 'live', '--tasks', 'ferry-morning', '--methods', methods, ...familyAgents]
  await benchOk([...args, '--out', folder, '--quiet', '--allow-unsandboxed'], { env })

  const asks = asksOf(folder)
  for (const agent of Object.values(families)) {
    const model = agent.slice(agent.indexOf(':') + 1)
    const counted = server.log.filter((entry) => entry.model === model)
    const own = asks.filter((ask) => ask.agent === agent)
    expect(own.map(({ error }) => error?.reason)).toEqual(['network', undefined])
    expect(own.map(({ tokens }) => [tokens.input, tokens.output])).toEqual([
      [null, null],
      [counted[1]?.usage?.input, counted[1]?.usage?.output],
    ])
    // A vendor's list prices do not apply to a server on loopback.
    expect(own[1]?.costUsd, agent).toBeNull()
  }
  const [record] = recordsOf(folder)
  expect(record).toMatchObject({ mode: 'live', simulated: false, outcome: { status: 'completed' } })
  expect(record?.spent).toMatchObject({ calls: 10, unreportedTokens: 5 })
  const { endpoints, prices } = manifestOf(folder)
  expect(Object.keys(endpoints ?? {}).sort()).toEqual(Object.values(families).sort())
  expect(prices?.table?.version).toMatch(/^\d+\.\d+\.\d+$/)

  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(key)

  // Neither a key nor a server is needed to replay.
  await benchOk(['replay', folder])
  expect(server.log.filter(({ number }) => number > 0)).toHaveLength(10)
})

it('missing keys, servers and models are reported before a run, which does not begin', async () => {
  const { server, folder } = await familySetting([])
  const none = { ANTHROPIC_API_KEY: undefined, OPENAI_COMPATIBLE_BASE_URL: undefined }
  const roles = ['--agent', 'auditor=openai-compatible:x', '--agent', 'refiner=ollama:other']
  const args = live('anthropic:claude-sonnet-4-5', folder).map((word) =>
    word === 'baseline' ? 'sequential' : word,
  )
  await refused(
    [...args, ...roles],
    [/ANTHROPIC_API_KEY is not set/, /OPENAI_COMPATIBLE_BASE_URL is not set/, /ollama pull other/],
    { env: { ...none, OLLAMA_HOST: server.url } },
  )
  expect(server.asked()).toBe(0)
})

it('a price file wins over the table, is kept in the run, and can price the run again without changing it', async () => {
  const { env, folder } = await familySetting([
    { text: '42', usage: { input: 1000, output: 100 }, always: true },
  ])
  const prices = join(tempFolder(), 'prices.yaml')
  writeFileSync(prices, 'prices:\n  openai:gpt-5: { input: 10, output: 100 }\n')
  await benchOk([...live('openai:gpt-5', folder), '--prices', prices], { env })
  expect(asksOf(folder)[0]).toMatchObject({ costUsd: 0.02, costSource: 'file' })
  expect(manifestOf(folder).prices?.file).toEqual({ prices: { 'openai:gpt-5': { input: 10, output: 100 } } })

  const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('hex')])
  const cheaper = join(tempFolder(), 'cheaper.yaml')
  writeFileSync(cheaper, 'prices:\n  openai:gpt-5: { input: 1.25, output: 10 }\n')
  const repriced = (...args: string[]) => benchOk(['reprice', folder, '--prices', cheaper, ...args])
  const now = JSON.parse(await repriced('--json')) as { methods: object[] }
  expect(now.methods).toEqual([
    expect.objectContaining({
      method: 'baseline',
      calls: 1,
      compared: 1,
      billedUsd: 0.02,
      presentUsd: 0.00225,
      list: expect.objectContaining({ compared: 1, billedUsd: 0.02, presentUsd: 0.00225 }),
    }),
  ])
  expect(await repriced()).toContain('billed $0.0200, now $0.00225, -88.8%')
  // The list price of the vendor is not that of this server.
  expect(await benchOk(['reprice', folder])).toContain('billed $0.0200, now unknown')
  expect(await benchOk(['reprice', folder, '--prices', prices])).toContain('now $0.0200')
  expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('hex')])).toEqual(
    before,
  )
})

it('a cached call is reported with its cost and its list price, wherever a price is printed', async () => {
  const usage = { input: 1_000_000, cached: 800_000, output: 0 }
  const { env, folder } = await familySetting([{ text: 'Answer: 42', usage, always: true }])
  const prices = join(tempFolder(), 'prices.yaml')
  writeFileSync(prices, 'prices:\n  openai:gpt-5: { input: 1.25, cached: 0.125, output: 10 }\n')
  await benchOk([...live('openai:gpt-5', folder), '--prices', prices], { env })
  const [{ spent }] = recordsOf(folder) as [ReturnType<typeof recordsOf>[number]]
  expect(spent).toMatchObject({ costUsd: 0.35, listCostUsd: 1.25, unknownListCost: 0, cached: 800_000 })
  const report = await benchOk(['report', folder, '--notes'])
  expect(report).toMatch(/cached .*cost +list/)
  expect(report).toMatch(/\$0\.350 +\$1\.25/)
  const { version, date } = manifestOf(folder).prices?.table ?? { version: '', date: '' }
  expect(report).toContain(`${version} of ${date}`)
  expect(await benchOk(['show', folder])).toContain('cost $0.350, $1.25 at list prices')
  const trial = recordsOf(folder)[0]?.trial as string
  expect(await benchOk(['show', folder, trial])).toMatch(
    /\(800,000 cached\), 0 out, \$0\.350, \$1\.25 at list prices/,
  )
})

it('the prompts of a trial begin alike, and those of other trials and runs differently', async () => {
  const { env, server, folder } = await familySetting([{ text: 'Answer: 42', always: true }])
  const file = join(tempFolder(), 'twice.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'twice',
  summary: 'Asks twice in one conversation.',
  roles: { solver: 'produce' },
  options: z.object({}),
  async run({ ask }) {
    await ask('solver', 'Once.', { session: 's' })
    await ask('solver', 'Twice.', { session: 's' })
    return { stopReason: 'done' }
  },
})
`,
  )
  const args = live('anthropic:claude-sonnet-4-5', folder).map((word) => (word === 'baseline' ? file : word))
  await benchOk([...args, '--epochs', '2', '--parallel', '1'], { env })
  await benchOk(
    args.map((word) => (word === folder ? `${folder}-2` : word)),
    { env },
  )
  const firsts = server.log.map(({ body }) => {
    const { messages } = body as { messages: { content: { text: string }[] }[] }
    return messages[0]?.content[0]?.text ?? ''
  })
  const [a, again, b, alsoAgain, other] = firsts
  expect(firsts).toHaveLength(6)
  // The session's first message is sent again as it was, so that within a trial a cache may hold it.
  expect([again, alsoAgain]).toEqual([a, b])
  expect(new Set([a, b, other].map((text) => text?.slice(0, 26))).size).toBe(3)
  // Behind the mark they are the same, the task and the contract that all methods tell alike.
  expect(new Set([a, b, other].map((text) => text?.slice(26))).size).toBe(1)
  expect(manifestOf(folder).preamble).toBe(preambleHash)
})

it('wrong prices, and prices of agents that do not answer, are refused', async () => {
  const wrong = join(tempFolder(), 'prices.yaml')
  writeFileSync(wrong, 'prices:\n  openai:gpt-5: { inptu: 10, output: -1 }\n')
  const { env, folder } = await familySetting([])
  await refused(
    argv`${live('openai:gpt-5', folder)} --prices ${wrong}`,
    [/prices\.yaml:2 .*inptu/, /at least 0/],
    { env },
  )
  writeFileSync(wrong, 'prices: {}\n')
  await refused(argv`--tasks 1 --methods baseline --prices ${wrong}`, [
    /applies only to agents that call a real model/,
  ])
})

it('a run stops at the second Ctrl-C although the model hangs, and repeats the call in flight, reported as maybe paid', async () => {
  const { server, env, folder } = await familySetting([
    { failure: { kind: 'hang' } },
    { text: '42', always: true },
  ])
  const running = startBench(live('openai:gpt-5', folder), { env })
  await until(() => server.asked() === 1 || running.isOver())
  running.kill('SIGINT')
  await running.says(/waits for 1 paid call in flight; Ctrl-C again cuts it off/)
  await soon(150)
  running.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 130 })
  expect(server.log).toHaveLength(1)

  await benchOk(['--resume', folder, '--quiet', '--allow-unsandboxed'], { env })
  expect(server.asked()).toBe(2)
  expect(asksOf(folder).map(({ maybePaid, payer }) => [maybePaid, payer])).toEqual([
    [true, 'void'],
    [undefined, 'method'],
  ])
})
