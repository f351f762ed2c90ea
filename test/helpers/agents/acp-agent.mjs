#!/usr/bin/env node
// An agent that speaks the Agent Client Protocol without any package: it does what its first argument or the prompt's words in brackets say.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [mode = 'good', of = '', to = 'stdout'] = process.argv.slice(2)
const store = join(process.env.HOME ?? '.', 'sessions')
const never = new Promise(() => {})
const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve))
const send = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answer = (id, result) => send({ id, result })
const update = (sessionId, fields) =>
  send({ method: 'session/update', params: { sessionId, update: fields } })
const say = (sessionId, text, more = {}) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more })

const waiting = new Map()
let last = 0
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `own-${++last}`
    waiting.set(id, resolve)
    void send({ id, method, params })
  })
const resultOf = async (method, params) => {
  const { result, error } = await ask(method, params)
  return error ? `refused: ${error.data ?? ''} ${error.message}` : (result.content ?? JSON.stringify(result))
}

if (mode === 'help') {
  console.log('Usage: agent [options]\n  --acp  speak the protocol')
  process.exit(Number(of || 0))
}
if (mode === 'prints') {
  process[to].write(of)
  process.exit(1)
}
if (mode === 'garbage') for (;;) await write('this is no message\n')
if (mode === 'framed') await write('Content-Length: 20\r\n\r\n{"jsonrpc":"2.0"}')
if (mode === 'deaf') await new Promise(() => setInterval(() => {}, 1000))

let cwd = process.cwd()
let cancelled = () => {}

/** What a prompt asks in brackets, in their order. */
const deeds = {
  say: (session, text) => say(session, text),
  think: (session, text) =>
    update(session, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),
  tool: (session) =>
    update(session, { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Work', kind: 'edit' }),
  other: (_, text) => say('another-session', text),
  make: (_, text) => writeFileSync(join(cwd, 'made.txt'), text),
  log: (session) => say(session, String(readFileSync(store, 'utf8').split('\n').length - 1)),
  environment: (session, name) => say(session, String(process.env[name])),
  link: (_, to) => symlinkSync(to, join(cwd, 'link')),
  folder: (_, to) => symlinkSync(to, join(cwd, 'linked')),
  async read(sessionId, path) {
    await say(sessionId, await resultOf('fs/read_text_file', { sessionId, path: path.replace('CWD', cwd) }))
  },
  async write(sessionId, path) {
    const content = 'written by the agent'
    const found = await resultOf('fs/write_text_file', { sessionId, path: path.replace('CWD', cwd), content })
    await say(sessionId, found)
  },
  async foreign(session, method) {
    const options = [{ optionId: 'a', name: 'a', kind: 'allow_once' }]
    const params = {
      path: join(cwd, 'a.txt'),
      content: 'x',
      options,
      toolCall: { toolCallId: 't', kind: 'edit' },
    }
    await say(session, await resultOf(method, { sessionId: 'another-session', ...params }))
  },
  async terminal(sessionId) {
    await say(sessionId, await resultOf('terminal/create', { sessionId, command: 'id' }))
  },
  async permission(sessionId, kind) {
    const [what, path = 'CWD/a.txt', ...offered] = kind.split(' ')
    const kinds = offered.length > 0 ? offered : ['allow_always', 'allow_once', 'reject_once']
    const options = kinds.map((one) => ({
      optionId: one,
      name: one,
      kind: one,
    }))
    const locations = [{ path: path.replace('CWD', cwd) }]
    const toolCall = { toolCallId: 't', title: 'Work', kind: what, locations }
    const { result } = await ask('session/request_permission', { sessionId, toolCall, options })
    await say(sessionId, result.outcome.optionId ?? result.outcome.outcome)
  },
  async model(session, name) {
    const asked = await fetch(`${process.env.MODEL_URL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${process.env.MODEL_KEY}` },
      body: JSON.stringify({ model: name || 'm', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await say(session, await asked.text())
  },
}

/** How hostile agents answer a prompt. */
const hostile = {
  'hang-in-prompt': () => never,
  'flood-updates': async (id) => {
    for (;;) await say(id, 'x'.repeat(20_000))
  },
  'flood-requests': async (sessionId) => {
    for (;;) {
      const options = [{ optionId: 'a', name: 'a', kind: 'allow_once' }]
      await ask('session/request_permission', { sessionId, toolCall: { toolCallId: 't' }, options })
    }
  },
  'flood-pending': async (sessionId) => {
    process.stdin.pause()
    for (;;)
      await send({
        id: `own-${++last}`,
        method: 'fs/read_text_file',
        params: { sessionId, path: `${cwd}/big.txt` },
      })
  },
  'giant-line': async () => {
    for (;;) await write('x'.repeat(1024 * 1024))
  },
  'die-in-prompt': () => process.exit(3),
  'kill-in-prompt': () => process.kill(process.pid, 'SIGKILL'),
  'garbage-in-prompt': async () => {
    for (;;) await write('{"jsonrpc":"2.0", no message\n')
  },
  'answer-nothing-asked': async (id) => {
    for (let n = 0; n < 100; n++) await send({ id: 1000 + n, result: { stopReason: 'end_turn' } })
    await send({ id: null, error: { code: -1, message: 'nothing' } })
    await send({ id: { a: 1 }, result: 1 })
    await send([])
    await say(id, 'Answer: 42')
  },
  'other-session': async () => {
    await say('another-session', 'Answer: 41')
  },
  'leave-children': async () => {
    spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' })
    process.on('SIGTERM', () => {})
    cancelled = () => {}
    await never
  },
  deep: async (id) => {
    await write(`{"jsonrpc":"2.0","method":"session/update","params":${'['.repeat(1e5)}${']'.repeat(1e5)}}\n`)
    await say(id, 'Answer: 42')
  },
}

async function prompted(id, sessionId, words) {
  const text = words.map((one) => one.text).join('')
  mkdirSync(process.env.HOME ?? '.', { recursive: true })
  appendFileSync(store, `${sessionId}\n`)
  const stop = new Promise((resolve) => {
    cancelled = () => resolve('cancelled')
  })
  if (hostile[mode]) await Promise.race([hostile[mode](sessionId), mode === 'leave-children' ? never : stop])
  for (const [, name, what] of text.matchAll(/\[(\w+)(?: ([^\]]*))?\]/g))
    await deeds[name]?.(sessionId, what ?? '')
  if (mode === 'count') await say(sessionId, `${text.length}`)
  const usage = {
    totalTokens: 18,
    inputTokens: 10,
    outputTokens: 3,
    cachedReadTokens: 5,
    cachedWriteTokens: 0,
  }
  const cost = { used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } }
  if (mode === 'usage') await update(sessionId, { sessionUpdate: 'usage_update', ...cost })
  if (mode === 'failing')
    return send({ id, error: { code: -32603, message: 'Internal error', data: { details: of } } })
  await answer(id, {
    stopReason: /\[stop (\w+)\]/.exec(text)?.[1] ?? 'end_turn',
    ...(mode === 'usage' && { usage }),
  })
  if (mode === 'quick') process.exit(0)
}

const methods = {
  async initialize(id) {
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, 6000))
    if (mode === 'old-version') return answer(id, { protocolVersion: 0 })
    if (mode === 'new-version')
      return answer(id, { protocolVersion: 2, agentInfo: { name: 'new', version: '9' } })
    if (mode === 'text-version') return answer(id, { protocolVersion: '1' })
    if (mode === 'no-version') return answer(id, {})
    const loadSession = mode !== 'forgetful'
    const authMethods = [
      { id: 'oauth', name: 'Log in' },
      ...(mode === 'key-login' ? [{ id: 'own-api-key', name: 'Key' }] : []),
    ]
    await answer(id, {
      protocolVersion: 1,
      agentInfo: { name: 'test-agent', version: '1.2.3' },
      agentCapabilities: { loadSession, ...(mode === 'resuming' && { sessionCapabilities: { resume: {} } }) },
      ...(mode.endsWith('login') && { authMethods }),
    })
    if (mode === 'die-after-initialize') process.exit(4)
  },
  async authenticate(id, { methodId }) {
    appendFileSync(store, `${methodId}\n`)
    await answer(id, {})
  },
  async 'session/new'(id, params) {
    if (mode === 'hang-after-initialize') return never
    const isKnown = existsSync(store) && readFileSync(store, 'utf8').includes('own-api-key')
    if (mode.endsWith('login') && !isKnown)
      return send({ id, error: { code: -32000, message: 'Authentication required' } })
    cwd = params.cwd
    await answer(id, { sessionId: `session-${process.pid}` })
  },
  async 'session/load'(id, params) {
    if (mode === 'cannot-load') return send({ id, error: { code: -32603, message: 'No previous sessions' } })
    cwd = params.cwd
    await say(params.sessionId, 'What was said before. ')
    await answer(id, null)
  },
  async 'session/resume'(id, params) {
    cwd = params.cwd
    await answer(id, {})
  },
  async 'session/prompt'(id, { sessionId, prompt }) {
    await prompted(id, sessionId, prompt)
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, ...result } = JSON.parse(line)
  if (method === undefined) return void waiting.get(id)?.(result)
  if (method === 'session/cancel') return cancelled()
  void methods[method]?.(id, params)
})
if (mode !== 'stays') process.stdin.on('end', () => process.exit(0))
else setInterval(() => {}, 1000)
