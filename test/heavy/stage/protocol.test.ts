import { expect, it } from 'vitest'
import type { StageProgram } from '../../../src/stage.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { agentOf, playTrial, type Setting } from '../../helpers/runs/trial.ts'
import { chainOf, type End, endsOf, stageOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(({ prompt, schema }) => (schema ? '{"steps":["a","b"]}' : `you said: ${prompt}`))

/** Runs one stage whose code puts what it got into `out`. Returns that, and the trial. */
async function speak(code: string, change: Partial<StageProgram> = {}, setting: Partial<Setting> = {}) {
  const program = stageOf(`const out = []\n${code}\nwriteState({ out })`, change)
  const played = await playTrial({
    agent,
    strategy: chainOf(['one', program]),
    task: filesTask(),
    ...setting,
  })
  const [end] = endsOf(played) as [End]
  expect(end).toMatchObject({ exitCode: 0, output: '' })
  return { out: JSON.parse(end.state ?? '').out, played, end }
}

const asked = `{ ask: { role: 'planner', prompt: 'p' } }`

it('an ask shows texts, has a system prompt, and gets data where it names a shape', async () => {
  const { out, played } = await speak(`
const shape = { type: 'object', properties: { steps: { type: 'array', items: { type: 'string' } } }, required: ['steps'] }
out.push(await bench.request({ ask: { role: 'planner', prompt: 'p', system: 's', show: { notes: 'n' }, shape } }))`)
  expect(out).toEqual([{ id: 1, reply: { steps: ['a', 'b'] } }])
  const ask = played.steps.find(({ kind }) => kind === 'ask')
  expect(ask).toMatchObject({ key: 'one#0', system: 's', role: 'planner' })
  expect((ask as { prompt: string }).prompt).toMatch(/^p\n\n## notes\nn\n\nReply with one JSON value/)
})

it('a second request while one is pending is answered with busy and does nothing', async () => {
  const { out, played } = await speak(
    `bench.send(${asked}); bench.send(${asked}); bench.send({ check: true })
const second = open()
await second.hello()
out.push(await second.request({ label: { a: 1 } }))
second.close()
out.push(await bench.next(), await bench.next(), await bench.next())`,
    {},
    { agent: agentOf(() => new Promise((resolve) => setTimeout(resolve, 300, 'late'))), mode: 'live' },
  )
  const busy = { reason: 'busy', message: expect.stringContaining('no answer yet') }
  expect(out).toEqual([
    { id: 1, error: busy },
    { id: 2, error: busy },
    { id: 3, error: busy },
    { id: 1, reply: 'late' },
  ])
  expect(played.steps.map(({ key }) => key)).toEqual(['one#0', '#0', 'grade#0'])
})

const asText = (value: unknown) => JSON.stringify(value)

/** Lines that are no request: what is wrong, the code that sends it, the id of the answer, and what the answer says. */
const wrongLines = [
  ['no JSON', `bench.socket.write('{nonsense\\n')`, null, 'no JSON'],
  ['no object', `bench.socket.write('[]\\n')`, null, 'is not an object'],
  ['null', `bench.socket.write('null\\n')`, null, 'is not an object'],
  ['bytes that are no text', `bench.socket.write(Buffer.from([255, 254, 10]))`, null, 'no JSON'],
  ['no id', `bench.socket.write('{"check":true}\\n')`, null, 'id'],
  ['nothing to do', `bench.send({})`, 1, 'one of ask, label, check, saving, run, read and finish'],
  [
    'two things to do',
    `bench.send({ check: true, label: {} })`,
    1,
    'one of ask, label, check, saving, run, read and finish',
  ],
  ['an unknown field', `bench.send({ shell: 'ls' })`, 1, 'shell'],
  [
    'an unknown option of an ask',
    `bench.send({ ask: { role: 'planner', prompt: 'p', session: 's' } })`,
    1,
    'session',
  ],
  ['an unknown role', `bench.send({ ask: { role: 'boss', prompt: 'p' } })`, 1, 'may not ask "boss"'],
  ['a role of Object', `bench.send({ ask: { role: 'constructor', prompt: 'p' } })`, 1, 'may not ask'],
  ['a prompt that is no text', `bench.send({ ask: { role: 'planner', prompt: 7 } })`, 1, 'ask.prompt'],
  [
    'a shape that is none',
    `bench.send({ ask: { role: 'planner', prompt: 'p', shape: { type: 'banana' } } })`,
    1,
    'no JSON Schema',
  ],
  [
    'a shape that refers to a page',
    `bench.send({ ask: { role: 'planner', prompt: 'p', shape: { $ref: 'http://localhost/x' } } })`,
    1,
    'no JSON Schema',
  ],
  [
    'a shape that is too deep',
    `bench.socket.write('{"id":1,"ask":{"role":"planner","prompt":"p","shape":{"items":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}}}\\n')`,
    1,
    'deeper',
  ],
  ['a label with a reserved field', `bench.send({ label: { trial: 'x' } })`, 1, 'reserved'],
] as const

it('lines that are no request are answered with invalid and do nothing, and the next request works', async () => {
  const { out, played } = await speak(`
for (const send of ${asText(wrongLines.map(([, send]) => send))}) {
  eval(send)
  out.push(await bench.next())
}
out.push(await bench.request(${asked}))`)
  expect(
    out.slice(0, -1).map(({ error }: { error: object }, i: number) => [wrongLines[i]?.[0], error]),
  ).toEqual(
    wrongLines.map(([what, , , message]) => [
      what,
      { reason: 'invalid', message: expect.stringMatching(message) },
    ]),
  )
  expect(out.map(({ id }: { id: unknown }) => id === null).slice(0, -1)).toEqual(
    wrongLines.map(([, , id]) => id === null),
  )
  expect(out.at(-1)).toMatchObject({ reply: 'you said: p' })
  expect(played.record.spent.calls).toBe(1)
})

it('a stage may ask only the roles that it is given', async () => {
  const { out } = await speak(`out.push(await bench.request(${asked}))`, { roles: ['judge'] })
  expect(out[0].error.message).toContain('it may ask judge')
})

it('a failed agent is an answer with its cause, and the stage goes on', async () => {
  const failing = agentOf(() => ({ error: { reason: 'refusal', message: 'no' } }))
  const { out } = await speak(`out.push(await bench.request(${asked}))`, {}, { agent: failing })
  expect(out[0].error).toMatchObject({ reason: 'agent', cause: 'refusal' })
})

it('a client that closes its side after its request still reads the answer', async () => {
  const { out } = await speak(`
bench.socket.end('{"id":"x","ask":{"role":"planner","prompt":"p"}}\\n')
out.push(await bench.next(), (await bench.next()) === undefined)`)
  expect(out).toEqual([{ id: 'x', reply: 'you said: p' }, true])
})

it('a line that is too long ends its connection, and another connection works', async () => {
  const { out } = await speak(`
bench.socket.on('error', () => {})
bench.socket.write('x'.repeat(5 * 1024 * 1024))
out.push(await bench.next())
const second = open()
await second.hello()
out.push(await second.request(${asked}))
second.close()`)
  expect(out[0]).toEqual({
    id: null,
    error: { reason: 'invalid', message: expect.stringContaining('at most') },
  })
  expect(out[1]).toMatchObject({ reply: 'you said: p' })
})

it('a stage that floods its socket with requests is answered closed, and ends by itself', async () => {
  const { out, played } = await speak(`
bench.socket.on('error', () => {})
for (let i = 0; i < 10_001; i++) bench.socket.write('[]\\n')
let last
for (let line = await bench.next(); line; line = await bench.next().catch(() => undefined)) last = line
out.push(last)`)
  expect(out[0].error).toMatchObject({ reason: 'closed', message: 'a stage sends at most 10000 requests' })
  expect(played.record.spent.calls).toBe(0)
})

it('a stage that opens a thousand connections and sends garbage gets its result, and the trial goes on', async () => {
  const { played, end } = await speak(`
import { connect } from 'node:net'
const closed = []
for (let i = 0; i < 1000; i++)
  closed.push(new Promise((resolve) => {
    const socket = connect(process.env.BENCH_SOCKET, () => socket.end(Buffer.alloc(1000, i)))
    socket.on('error', resolve).on('close', resolve).resume()
  }))
await Promise.all(closed)
out.push(await bench.request(${asked}))`)
  expect(JSON.parse(end.state ?? '').out[0]).toMatchObject({ reply: 'you said: p' })
  expect(played.record.outcome.status).toBe('completed')
})

it('a stage that exits while its ask is pending waits for the reply, which is in the bill', async () => {
  const slow = agentOf(() => new Promise((resolve) => setTimeout(resolve, 300, 'late')))
  const program = stageOf(
    `bench.send(${asked})\nsetTimeout(() => process.exit(4), 100)\nawait new Promise(() => {})`,
  )
  const played = await playTrial({
    agent: slow,
    strategy: chainOf(['one', program]),
    task: filesTask(),
    mode: 'live',
  })
  expect(endsOf(played)[0]).toMatchObject({ exitCode: 4, asks: 1 })
  expect(played.record.spent.calls).toBe(1)
})

it('the time in which a stage waits for a reply does not count for its own limit', async () => {
  const slow = agentOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    return { text: 'late', durationMs: 1500 }
  })
  const { out, played } = await speak(
    `out.push(await bench.request(${asked}))`,
    { timeoutMs: 1200 },
    { agent: slow, mode: 'live' },
  )
  expect(out).toEqual([{ id: 1, reply: 'late' }])
  const step = played.steps.find(({ kind }) => kind === 'stage')
  expect(step?.durationMs).toBeGreaterThan(0)
  expect(step?.durationMs).toBeLessThan(1200)
})

it('secrets are removed from what a stage asks, prints and leaves', async () => {
  const secret = 'sk-ant-REDACTED'
  const redact = createRedactor([{ name: 'MY_API_KEY', value: secret }])
  const program = stageOf(`
const { reply } = await bench.request({ ask: { role: 'planner', prompt: 'key ' + '${secret}' } })
writeFileSync('key.txt', '${secret}')
writeState({ reply, key: '${secret}' })
console.log('${secret}')`)
  const played = await playTrial({ agent, strategy: chainOf(['one', program]), task: filesTask(), redact })
  expect(JSON.stringify([played.record, played.steps])).not.toContain(secret)
  expect(endsOf(played)[0]?.state).toContain('you said: key [')
})

it('a file is read as it is now, and only an agent that directs others may finish', async () => {
  const { out, played } = await speak(
    `writeFileSync('new.txt', 'just now')
for (const asked of [{ read: 'new.txt' }, { read: 'none.txt' }, { read: '' }, { finish: 'Done.' }]) out.push(await bench.request(asked))`,
  )
  expect(
    out.map(
      ({ reply, error }: { reply: unknown; error?: { reason: string } }) => reply ?? error?.reason ?? null,
    ),
  ).toEqual(['just now', null, expect.stringMatching(/^(?:.*\n)?new\.txt(?:\n|$)/), 'invalid'])
  const stage = played.steps.find((step) => step.kind === 'stage')
  expect(stage).toMatchObject({
    log: [{ changes: {} }, { read: 'new.txt' }, { read: 'none.txt' }, { read: '' }],
  })
})
