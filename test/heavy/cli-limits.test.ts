import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import { needs } from '../helpers/house/needs.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, recordsOf, soon, startBench, stepsOf } from '../helpers/runs/cli.ts'
import { onLoopback } from '../helpers/servers/loopback.ts'

const key = 'sk-of-limits-0123456789'
const usage = { prompt_tokens: 9_900, completion_tokens: 100, total_tokens: 10_000 }
const reply = (model: string) =>
  JSON.stringify({
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'on' }, finish_reason: 'stop' }],
    usage,
  })
const json = { 'content-type': 'application/json' }

/** How a provider answers a request, the first of which has number 1. */
type Answer = (response: ServerResponse, number: number) => void | Promise<void>

/** Uses 10,000 tokens. */
const whole: Answer = (response) => void response.writeHead(200, json).end(reply('m'))

/** A program that asks `times` times, `atOnce` at a time, until it is refused, and then answers as if all were well. */
const program = (times: number, atOnce: number, more: object) => `
for await (const _ of process.stdin);
const ask = () => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'again' }], ...${JSON.stringify(more)} }),
}).then(async (r) => (await r.text().catch(() => ''), r.status), () => 0)
for (let i = 0; i < ${times}; i += ${atOnce}) {
  const all = await Promise.all(Array.from({ length: ${atOnce} }, ask))
  if (all.includes(403)) break
}
console.log(JSON.stringify({ result: 'The answer is 42.' }))`

/** A provider, and a folder with a task and a described program that asks it. */
async function setting(
  answer: Answer,
  {
    times = 300,
    atOnce = 1,
    more = {},
    tasks = 1,
  }: { times?: number; atOnce?: number; more?: object; tasks?: number } = {},
) {
  let paid = 0
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    if (request.method === 'POST') await answer(response, ++paid)
    else response.writeHead(200, json).end('{"data":[]}')
  })
  const url = await onLoopback(server)
  const cwd = tempFolder()
  const questions = Array.from({ length: tasks }, (_, i) => `What is six times seven? ${i},42`)
  writeFileSync(join(cwd, 'q.csv'), ['question,answer', ...questions, ''].join('\n'))
  const code = Buffer.from(program(times, atOnce, more)).toString('base64')
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    `agents:
  mine:
    provider: cli
    model: m
    baseUrl: ${url}/v1
    keyVariable: TEST_LIMITS_KEY
    prices: { input: 1, output: 1 }
    program:
      command: [node, -e, "import('data:text/javascript;base64,${code}')"]
      env: { OPENAI_BASE_URL: '{baseUrl}' }
      keyInside: OPENAI_API_KEY
      output: json
      text: $.result
`,
  )
  const folder = join(cwd, 'run')
  const env = { TEST_LIMITS_KEY: key }
  return {
    folder,
    paid: () => paid,
    run: (...args: string[]) =>
      startBench(
        argv`run --mode live --tasks csv:q.csv --methods baseline --agents mine --retries 0 --quiet --yes
          --out ${folder} ${args}`,
        { cwd, env },
      ).ended,
    resume: (...args: string[]) =>
      startBench(['run', '--resume', folder, '--quiet', '--yes', ...args], { cwd, env }).ended,
    replay: () => benchOk(['replay', folder], { cwd }),
    asks: () => stepsOf(folder).filter((step): step is AskStep => step.kind === 'ask'),
  }
}

needs('bwrap').describe('a program that asks its model itself', { timeout: 120_000 }, () => {
  it.each([
    ['tokens=50000', 5, 'tokens', '50000 of 50000 tokens used'],
    ['costUsd=0.035', 4, 'costUsd', '$0.0400 of $0.035 spent'],
    ['calls=3', 3, 'calls', '3 of 3 calls used'],
  ] as const)(
    'is refused the next request at %s, and its trial is limited, whatever it answers',
    async (limit, requests, unit, used) => {
      const { run, paid, folder, asks, replay } = await setting(whole)
      expect(await run('--limit', limit)).toMatchObject({ code: 0 })
      expect(paid()).toBe(requests)
      const [record] = recordsOf(folder)
      expect(record).toMatchObject({ outcome: { status: 'limited' }, passed: false })
      expect(record?.outcome.reason).toContain(`${unit}: ${used}`)
      expect(asks()).toMatchObject([
        {
          tokens: { input: 9_900 * requests, output: 100 * requests },
          costUsd: 0.01 * requests,
          model: 'm',
          requests,
          error: { reason: 'limit' },
          stoppedBy: { scope: 'trial', limit: unit },
        },
      ])
      expect(await replay()).toContain('no divergence')
    },
  )

  it('keeps to a limit with 300 requests at once: each waits until there is room for what it may use', async () => {
    let [now, most] = [0, 0]
    const slow: Answer = async (response, number) => {
      most = Math.max(most, ++now)
      await soon(50)
      now--
      await whole(response, number)
    }
    const { run, paid, asks } = await setting(slow, { atOnce: 300, more: { max_tokens: 9_950 } })
    expect(await run('--limit', 'tokens=50000')).toMatchObject({ code: 0 })
    expect(paid()).toBe(5)
    expect(most).toBeGreaterThan(1)
    expect(asks()).toMatchObject([{ tokens: { input: 49_500, output: 500 }, requests: 5 }])
  })

  it('pays for a reply that broke off what its request may use, as far as limits count, and the step says so', async () => {
    const part = (delta: object) =>
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta }] })}\n\n`
    const { run, paid, folder, asks } = await setting(
      (response, number) => {
        if (number % 2 === 0) return whole(response, number)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(part({ content: 'on and' }), () => response.destroy())
      },
      { more: { max_tokens: 15_000, stream: true } },
    )
    expect(await run('--limit', 'tokens=50000')).toMatchObject({ code: 0 })
    // 15,000 and 10,000 in turn, and the size of the requests.
    expect(paid()).toBe(4)
    expect(recordsOf(folder)).toMatchObject([
      { outcome: { status: 'limited' }, spent: { unreportedTokens: 1, costUsd: null } },
    ])
    const [ask] = asks()
    expect(ask).toMatchObject({ tokens: { input: null, output: null }, costUsd: null, requests: 4 })
    expect(ask?.estimated).toMatchObject({ requests: 2 })
    expect(ask?.estimated?.tokens).toBeGreaterThan(50_000)
    expect(ask?.estimated?.tokens).toBeLessThan(50_200)
    expect(ask?.estimated?.costUsd).toBeCloseTo((ask?.estimated?.tokens ?? 0) / 1e6, 6)
  })

  it('shares the limit of a run with programs beside it; a resumed run asks again and counts what was spent', async () => {
    const { run, resume, paid, folder, asks } = await setting(whole, { times: 6, tasks: 2 })
    const first = await run('--max-tokens', '50000', '--parallel', '2')
    expect(first).toMatchObject({ code: 3 })
    // Each of the two calls may be over by one reply.
    expect(paid()).toBeGreaterThanOrEqual(5)
    expect(paid()).toBeLessThanOrEqual(6)
    expect(recordsOf(folder)).toEqual([])
    const lost = asks()
    expect(lost.map(({ payer, stoppedBy }) => [payer, stoppedBy?.scope])).toEqual(
      lost.map(() => ['void', 'run']),
    )
    expect(lost.reduce((sum, { requests = 0 }) => sum + requests, 0)).toBe(paid())
    const before = paid()
    // Nothing is left, so nothing is asked.
    expect(await resume()).toMatchObject({ code: 3 })
    expect(paid()).toBe(before)
    expect(await resume('--max-tokens', '1000000')).toMatchObject({ code: 0 })
    expect(paid()).toBe(before + 12)
    expect(recordsOf(folder)).toMatchObject([
      { outcome: { status: 'completed' }, passed: true, spent: { input: 59_400, output: 600 } },
      { outcome: { status: 'completed' }, passed: true, spent: { input: 59_400, output: 600 } },
    ])
    // What has an answer is not asked again.
    expect(await resume()).toMatchObject({ code: 0 })
    expect(paid()).toBe(before + 12)
  })

  it('used nothing if it never asks, and its trial is an error, whatever it prints', async () => {
    const { run, paid, folder, asks } = await setting(whole, { times: 0 })
    await run()
    expect(paid()).toBe(0)
    expect(recordsOf(folder)).toMatchObject([
      { outcome: { status: 'error' }, passed: null, spent: { input: 0, output: 0, costUsd: 0 } },
    ])
    expect(asks()).toMatchObject([
      { tokens: { input: 0, output: 0 }, costUsd: 0, requests: 0, error: { reason: 'unasked' } },
    ])
  })

  it('has the tokens of each model that answered on record', async () => {
    const { run, folder, asks } = await setting(
      (response, number) => void response.writeHead(200, json).end(reply(number === 1 ? 'dear' : 'm')),
      { times: 3 },
    )
    expect(await run()).toMatchObject({ code: 0 })
    const [ask] = asks()
    expect(ask?.model).toBeUndefined()
    expect(ask).toMatchObject({ requests: 3, costUsd: 0.03, costSource: 'file' })
    expect(ask?.models).toEqual([
      { model: 'dear', requests: 1, tokens: { input: 9_900, output: 100, cached: null }, costUsd: 0.01 },
      { model: 'm', requests: 2, tokens: { input: 19_800, output: 200, cached: null }, costUsd: 0.02 },
    ])
    expect(recordsOf(folder)).toMatchObject([{ otherModels: [{ model: 'dear', calls: 1 }] }])
  })
})
