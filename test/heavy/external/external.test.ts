import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { key } from '../../helpers/agents/wire-families.ts'
import { needs } from '../../helpers/house/needs.ts'
import { bench, benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'
import {
  applications,
  commandsOfProcesses,
  costOf,
  holding,
  liveRun,
  pricesIn,
  trialsOf,
} from '../../helpers/stages/applications.ts'
import type { ModelRequest } from '../../model-server/script.ts'

const answer = 'Answer: 418'
const say = ({ number }: ModelRequest) => ({ text: number % 2 === 0 ? `${answer}\n` : `So: ${answer}` })

/** What stands in the command of the children that a program leaves. */
const forked = `forked-by-test-${process.pid}`

/** Programs, each a method; what they print is their answer. */
const programs = {
  plain: `console.log(await ask('plain one')); console.log(await ask('plain two'))`,
  stream: `
const reply = await post('/v1/chat/completions', chat('stream one', { stream: true }))
const events = (await reply.text()).split('\\n').filter((line) => line.startsWith('data: {'))
console.log(events.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? '').join(''))`,
  none: `console.log('${answer}')`,
  eight: `
const texts = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => ask('eight ' + n)))
console.log(texts.length + ' replies\\n${answer}')`,
  roles: {
    options: '[roles=planner:solver]',
    code: `
await ask('roles by header', {}, { 'x-bench-role': 'planner' })
const reply = await post('/role/solver/v1/chat/completions', chat('roles by path'))
const unknown = await post('/role/other/v1/chat/completions', chat('roles unknown'))
const task = JSON.parse(readFileSync(process.env.BENCH_TASK, 'utf8'))
console.log(reply.status, unknown.status, (await unknown.json()).error.message, task.roles.join())`,
  },
  forbidden: `
const tried = [
  ['/v1/files', {}], ['/v1/batches', {}], ['/v1/embeddings', { input: 'x' }], ['/v1/messages', { model: 'm', max_tokens: 1, messages: [] }],
  ['/v1/chat/completions', chat('forbidden search', { web_search_options: {} })],
  ['/v1/chat/completions', chat('forbidden account'), { 'openai-organization': 'org' }],
]
for (const [path, body, headers] of tried) {
  const reply = await post(path, body, headers)
  console.log(reply.status, (await reply.json()).error.message)
}
const other = await post('/v1/chat/completions', chat('forbidden host'), {}, process.env.OTHER ?? 'http://127.0.0.1:1').catch((error) => error.cause?.code ?? 'failed')
console.log(String(other.status ?? other))`,
  big: `process.stdout.write('x'.repeat(3_000_000)); console.log('\\n${answer}')`,
  exits: `console.log(await ask('exits one')); console.error('it broke'); process.exitCode = 3`,
  aborts: `await ask('aborts one'); process.abort()`,
  throws: `await ask('throws one'); const known = {}; known.none.text`,
  hangs: {
    options: '[timeoutSeconds=1]',
    code: `await ask('hangs one'); console.log('${answer}'); await ask('hangs two')`,
  },
  forks: `
const { spawn } = await import('node:child_process')
for (let n = 0; n < 3; n++)
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${forked}'], { detached: true, stdio: 'ignore' }).unref()
console.log(await ask('forks one'))`,
  leaves: `
await fetch(base + '/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(chat('leaves one')), signal: AbortSignal.timeout(4000) }).catch(() => {})
console.log('${answer}')`,
  failing: `const reply = await post('/v1/chat/completions', chat('failing one')); console.log(reply.status, '${answer}')`,
}

it('a program asks its models through the gateway alone, to the token, and a replay starts nothing', async () => {
  const { cwd, env, server, methods } = await applications(
    (request) =>
      JSON.stringify(request.body).includes('failing one')
        ? { failure: { kind: 'status', status: 503, message: 'busy' } }
        : /leaves one|hangs two/.test(JSON.stringify(request.body))
          ? { failure: { kind: 'hang' } }
          : say(request),
    programs,
  )
  const ended = await bench(liveRun(methods, ...pricesIn(cwd)), { cwd, env })
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
  const trials = trialsOf(join(cwd, 'r'))

  // Tokens and dollars are those of the server's log, of each request.
  for (const [name, { record, asks, stage }] of Object.entries(trials)) {
    const counted = holding(server, `"content":"${name} `)
    const usages = counted.flatMap(({ usage }) => usage ?? [])
    const [input, output] = [usages.map((one) => one.input), usages.map((one) => one.output)]
    const sum = (parts: number[]) => parts.reduce((total, part) => total + part, 0)
    expect([name, stage.asks, record.spent.input, record.spent.output]).toEqual([
      name,
      counted.length,
      sum(input),
      sum(output),
    ])
    expect(record.spent.costUsd ?? 0, name).toBeCloseTo(costOf(counted), 9)
    expect(asks.map(({ agent }) => agent).every((agent) => agent === 'openai-compatible:local-model')).toBe(
      true,
    )
  }
  for (const { number, headers, model } of server.log)
    if (number > 0)
      expect([model, JSON.stringify(headers)]).toEqual([
        'local-model',
        expect.not.stringContaining('x-bench-role'),
      ])

  const { plain, stream, none, eight, roles, forbidden, big, exits, hangs, forks, leaves, failing } = trials
  const { aborts, throws } = trials
  for (const one of [plain, stream, none, eight, big, forks])
    expect([one?.record.method, one?.record.outcome.status, one?.record.passed]).toEqual([
      one?.record.method,
      'completed',
      true,
    ])
  expect(none?.record).toMatchObject({ detail: 'it asked no model', spent: { calls: 0, costUsd: 0 } })
  expect(eight?.record.spent.calls).toBe(8)
  expect(eight?.asks.map(({ key }) => key).sort()).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `application#${n}`),
  )
  expect(roles?.asks.map(({ role }) => role)).toEqual(['planner', 'solver'])
  expect(roles?.record.answer).toBe(
    '200 403 bench does not let this request pass: it is for the role "other"; there are planner, solver planner,solver',
  )
  expect(forbidden?.record.answer).toMatchSnapshot()
  expect(forbidden?.record).toMatchObject({ refusedRequests: 6, spent: { calls: 0 } })
  expect(holding(server, 'forbidden')).toEqual([])
  expect(exits?.record.outcome).toEqual({
    status: 'failed',
    reason: 'the method broke: the program ended with exit code 3: it broke',
  })
  // A crash is the program's own deed, so it runs once.
  expect([aborts?.record.outcome, aborts?.record.spent.calls]).toEqual([
    {
      status: 'failed',
      reason: expect.stringMatching(/^the method broke: the program was ended by SIGABRT/),
    },
    1,
  ])
  expect(throws?.record.outcome.reason).toBe(
    "the method broke: the program ended with exit code 1: TypeError: Cannot read properties of undefined (reading 'text')",
  )
  // What it has printed is graded, as what it has left.
  expect(exits?.record).toMatchObject({ answer: expect.stringContaining(answer), passed: true })
  expect(hangs?.record).toMatchObject({
    outcome: {
      status: 'failed',
      reason: expect.stringMatching(
        /^the method broke: the program was still running after 1 s, its timeoutSeconds: Answer: 418$/,
      ),
    },
    passed: false,
  })
  expect(failing?.record).toMatchObject({ outcome: { status: 'completed' }, answer: `503 ${answer}` })
  expect(failing?.asks[0]?.error).toMatchObject({ reason: 'server' })
  // What the program broke off is paid, perhaps: limits count it by its size.
  expect(leaves?.asks[0]).toMatchObject({
    error: { reason: 'request' },
    tokens: { input: null },
    estimated: { requests: 1 },
  })
  expect(leaves?.record).toMatchObject({ passed: true, spent: { calls: 1, unreportedTokens: 1 } })
  for (const { record } of Object.values(trials)) expect(record.fidelity).toEqual({ status: 'kept' })
  expect(JSON.stringify(trials)).not.toContain(key)
  expect(commandsOfProcesses().filter((words) => words.includes(forked))).toEqual([])

  // Without programs, key and server.
  for (const name of Object.keys(programs)) rmSync(join(cwd, `${name}.mjs`))
  const asked = server.asked()
  await benchOk(['replay', 'r'], { cwd })
  expect(server.asked()).toBe(asked)
})

needs('bwrap').it('a program sees neither hidden tests, nor other trials, nor the network', async () => {
  const code = `
const { readdirSync, existsSync } = await import('node:fs')
const names = (path) => { try { return readdirSync(path).sort() } catch (error) { return error.code } }
const net = await import('node:net')
const outside = await new Promise((resolve) => net.connect(Number(new URL(process.env.SERVER).port), '127.0.0.1').on('connect', () => resolve('open')).on('error', ({ code }) => resolve(code)))
console.log(JSON.stringify({ workspace: names('.'), stage: names(process.env.BENCH_STAGE), tests: names(process.env.TESTS), run: names(process.env.RUN), home: names(process.env.HOME), outside }))`
  const { cwd, env, server } = await applications(say, { looks: code })
  const variables = { SERVER: server.url, TESTS: join(root, 'tasks'), RUN: cwd }
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    `methods:\n  looks:\n    strategy: external\n    options:\n      command: node looks.mjs\n      env: ${JSON.stringify(variables)}\n`,
  )
  await benchOk(
    liveRun('looks').map((word) => (word === 'ferry-morning' ? 'code/duration-text' : word)),
    { cwd, env },
  )
  const [record] = recordsOf(join(cwd, 'r'))
  const seen = JSON.parse(trialsOf(join(cwd, 'r')).looks?.stage.stdout ?? '{}')
  expect(record?.sandbox).toBe('full')
  expect(seen).toMatchObject({
    stage: ['app', 'instruction.txt', 'task.json'],
    tests: 'ENOENT',
    run: 'ENOENT',
    home: [],
    outside: 'ECONNREFUSED',
  })
  expect(seen.workspace.join()).not.toMatch(/hidden|solution/)
})

it('a program asks in the format of each role’s agent, as streams too, and in no other', async () => {
  const code = `
const send = async (role, path, body, headers) => {
  const reply = await post('/role/' + role + path, { model: 'x', ...body }, headers)
  const said = await reply.text()
  return reply.ok ? (/418/.test(said) ? 'read' : 'unread') : JSON.parse(said).error.message
}
const messages = [{ role: 'user', content: 'hello' }]
const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
const seen = []
for (const stream of [false, true]) {
  seen.push(await send('claude', '/v1/messages', { max_tokens: 100, messages, stream }, { 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-of-its-own-and-of-another-length-than-the-key' }))
  seen.push(await send('gpt', '/v1/responses', { input: 'hello', stream }))
  seen.push(await send('gpt', '/v1/chat/completions', { messages, stream }))
  seen.push(await send('gemini', '/v1beta/models/x:' + (stream ? 'streamGenerateContent?alt=sse' : 'generateContent'), { contents }))
}
seen.push(await send('claude', '/v1/chat/completions', { messages }))
console.log(seen.join('\\n'))`
  const { cwd, env, server, methods } = await applications(() => ({ text: 'Answer: 418' }), {
    all: { code, options: '[roles=claude:gpt:gemini]' },
  })
  const agents = ['claude=anthropic:claude-sonnet-4-5', 'gpt=openai:gpt-5', 'gemini=google:gemini-2.5-pro']
  await benchOk(liveRun(methods, ...agents.flatMap((one) => ['--agent', one])), { cwd, env })
  const { all } = trialsOf(join(cwd, 'r'))
  expect(all?.stage.stdout?.trim().split('\n')).toEqual([
    ...Array(8).fill('read'),
    'bench does not let this request pass: it is in the format of POST /v1/chat/completions; anthropic:claude-sonnet-4-5, the agent of the role "claude", takes POST /v1/messages',
  ])
  const asked = server.log.filter(({ number }) => number > 0).sort((a, b) => a.number - b.number)
  // Whatever key it sends, the provider gets that of the agent.
  expect(asked[0]?.headers['x-api-key']).toBe(`<${key.length} characters>`)
  const models = ['claude-sonnet-4-5', 'gpt-5', 'gpt-5', 'gemini-2.5-pro']
  expect(asked.map(({ model }) => model)).toEqual([...models, ...models])
  expect(all?.asks.map(({ tokens, reply }) => [tokens.input, tokens.output, reply])).toEqual(
    asked.map(({ usage }) => [usage?.input, usage?.output, 'Answer: 418']),
  )
  await benchOk(['replay', 'r'], { cwd })
})
