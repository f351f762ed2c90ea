import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { build } from 'rolldown'
import { describe, expect, onTestFinished } from 'vitest'
import { startMcpServer } from '../../../src/agent-tools/mcp/mcp-server.ts'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, running, sandboxes } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { knownHostile, runningHostile } from '../../helpers/tools/hostile-servers.ts'
import {
  mcpFixtures,
  mcpTool,
  notesTool,
  openRun,
  resolved,
  serverFolder,
  withServer,
} from '../../helpers/tools/mcp-tools.ts'

/** Bundles the server that uses the official package into one file, in a folder of its own. */
async function bundleServer(): Promise<string> {
  const folder = tempFolder()
  await build({
    input: join(mcpFixtures, 'sdk-server.mjs'),
    platform: 'node',
    logLevel: 'silent',
    output: { file: join(folder, 'server.mjs'), codeSplitting: false },
  })
  return folder
}

/** A server whose tool never answers. */
const hangingServer = `import { createInterface } from 'node:readline'
const tools = [{ name: 'go', inputSchema: { type: 'object' } }]
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const serverInfo = { name: 'hang', version: '1' }
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo } : { tools }
  if (id !== undefined && method !== 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

const textsOf = (results: readonly { outcome: string; text: string }[]) =>
  results.map(({ outcome, text }) => [outcome, text])

describe.each(sandboxes)('a server of MCP tools in the sandbox %s', (name, required) => {
  const { it } = needs(...required)
  const { it: inPython } = needs(...required, 'python3')

  it('is gone with its folder when it is closed, also during a call or a start that is aborted', async () => {
    const sandbox = await openRun(name)
    const hanging = serverFolder(hangingServer)
    const tool = await resolved(
      mcpTool({ command: ['node', 'server.mjs'], files: ['server.mjs'], allow: ['go'] }),
      {
        ...{ cwd: hanging, sandbox },
      },
    )
    const start = { files: { 'server.mjs': hangingServer }, sandbox }
    for (const waitMs of [0, 20, 60]) {
      const stop = new AbortController()
      const server = await startMcpServer(tool, { ...start, signal: stop.signal })
      const call = server.call('go', {}).catch(() => {})
      await sleep(waitMs)
      stop.abort()
      // As an ask does: it stops to wait for the call, and closes.
      await setImmediate()
      await server.close()
      expect(foldersLeft()).toEqual([])
      await call
    }
    const again = { ...tool, stateless: true, timeoutMs: 50 }
    const server = await startMcpServer(again, start)
    await server.call('go', {})
    const call = server.call('go', {}).catch(() => {})
    await server.close()
    expect(foldersLeft()).toEqual([])
    await call
  })

  it('is listed before a run, and keeps what it knows for the calls of one ask', async () => {
    const sandbox = await openRun(name)
    const tool = await resolved(notesTool(), { sandbox })
    expect(tool).toMatchObject({
      server: { name: 'notes', version: '1.0.0' },
      files: [{ path: 'notes.mjs', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
    expect(tool.definitions.map((one) => one.name)).toEqual(
      ['add', 'count', 'fail', 'files', 'place'].map((tool) => `notes__${tool}`),
    )
    const results = await withServer(tool, { sandbox }, async (server) => [
      await server.call('add', { a: 1, b: 2 }),
      await server.call('count', {}),
      await server.call('count', {}),
      await server.call('fail', {}),
      await server.call('other', {}),
    ])
    expect(textsOf(results)).toEqual([
      ['ok', '3'],
      ['ok', 'call 1'],
      ['ok', 'call 2'],
      ['failed', 'there is nothing to do'],
      ['denied', 'other is no tool that may be called here.'],
    ])
    const level = name === 'none' ? 'none' : 'full'
    expect(results[0]).toMatchObject({ server: { name: 'notes', version: '1.0.0' }, sandbox: level })
    expect(foldersLeft()).toEqual([])
    expect(running('notes.mjs')).toBe(0)
  })

  it('sees its declared files and variables, and nothing else of the user', async () => {
    const sandbox = await openRun(name)
    const tool = await resolved(notesTool({ env: { GREETING: 'hello' } }), { sandbox })
    const { text } = await withServer(tool, { sandbox }, (server) => server.call('place', {}))
    const place = JSON.parse(text) as { variables: string[] }
    expect(place).toMatchObject({ folder: '/workspace/server', beside: ['notes.mjs'], greeting: 'hello' })
    const known = ['HOME', 'LANG', 'PATH', 'PWD', 'PYTHONDONTWRITEBYTECODE', 'PYTHONHASHSEED', 'TMPDIR', 'TZ']
    const own = ['BENCH_SANDBOX', 'GREETING']
    expect(place.variables.filter((one) => ![...known, ...own].includes(one))).toEqual([])
  })

  it('sees the trial’s files as the ask’s calls left them, and only if it declares so', async () => {
    const sandbox = await openRun(name)
    const tool = await resolved(notesTool({ workspace: true }), { sandbox })
    const workspace = { 'a.txt': 'one', 'sub/b.txt': 'two' }
    const results = await withServer(tool, { sandbox, workspace }, async (server) => {
      const before = await server.call('files', {})
      server.writeFiles([
        { path: 'a.txt', content: null },
        { path: 'sub/b.txt', content: 'three' },
        { path: 'new/c.txt', content: 'four' },
      ])
      return [before, await server.call('files', {})]
    })
    expect(textsOf(results)).toEqual([
      ['ok', '/workspace/files/a.txt: one\n/workspace/files/sub/b.txt: two'],
      ['ok', '/workspace/files/new/c.txt: four\n/workspace/files/sub/b.txt: three'],
    ])
    const closed = await resolved(notesTool(), { sandbox })
    const { text } = await withServer(closed, { sandbox, workspace }, (server) => server.call('files', {}))
    expect(text).toBe('I see no workspace.')
  })

  it('that puts a folder in the place of a file, or a link, changes no file outside of its copy', async () => {
    const sandbox = await openRun(name)
    const outside = tempFolder()
    const tool = knownHostile('changes-files', { workspace: true, env: { TARGET: outside } })
    const workspace = { 'a.txt': 'one', 'sub/b.txt': 'two' }
    const results = await withServer(tool, { sandbox, workspace }, async (server) => {
      const first = await server.call('go', {})
      server.writeFiles([{ path: 'a.txt', content: 'next' }])
      server.writeFiles([{ path: 'sub/b.txt', content: 'next' }])
      return [first, await server.call('go', {})]
    })
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
    expect(readdirSync(outside)).toEqual([])
    expect(foldersLeft()).toEqual([])
  })

  inPython('may be written in Python without packages; its names are those that vendors take', async () => {
    const sandbox = await openRun(name)
    const config = { command: ['python3', 'words.py'], files: ['words.py'], allow: ['words.count'] }
    const tool = await resolved(mcpTool(config), { sandbox })
    expect(tool).toMatchObject({
      server: { name: 'words', version: '2.1' },
      definitions: [{ name: 'notes__words_count', original: 'words.count' }],
    })
    const result = await withServer(tool, { sandbox }, (server) =>
      server.call('words.count', { text: 'some text of words' }),
    )
    expect(result).toMatchObject({ outcome: 'ok', text: '4 words, /workspace/server' })
  })

  it.each([[[]], [['modern']]])(
    'may be written with the official package, bundled, with arguments %j',
    async (args) => {
      const sandbox = await openRun(name)
      const cwd = await bundleServer()
      const command = ['node', 'server.mjs', ...args]
      const tool = await resolved(mcpTool({ command, files: ['server.mjs'], allow: ['letters', 'slow'] }), {
        sandbox,
        cwd,
      })
      expect(tool.server).toEqual({ name: 'bundled', version: '3.0.0' })
      const results = await withServer(tool, { sandbox, cwd }, async (server) => [
        await server.call('letters', { text: 'abc' }),
        await server.call('letters', { text: '' }),
        await server.call('slow', { text: 'late' }),
      ])
      expect(textsOf(results)).toEqual([
        ['ok', '{"letters":3}'],
        ['failed', expect.stringContaining('text')],
        ['ok', 'late'],
      ])
    },
  )

  it('that is stateless is started again once for the call after one that hangs', async () => {
    const sandbox = await openRun(name)
    const tool = knownHostile('hangs', { stateless: true, timeoutMs: 300 })
    const results = await withServer(tool, { sandbox }, async (server) => [
      await server.call('go', {}),
      await server.call('go', {}),
      await server.call('go', {}),
    ])
    expect(textsOf(results)).toEqual([
      ['timeout', expect.stringMatching(/within 300 ms\. It is started again for your next call\.$/)],
      ['timeout', expect.stringMatching(/within 300 ms\. Its tools cannot be called any more/)],
      [
        'broken',
        expect.stringMatching(/^hostile__go cannot be called: its server was ended, since it did not/),
      ],
    ])
    expect(runningHostile()).toBe(0)
  })

  it('that is another than the run began with is not called, and the text says what differs', async () => {
    const sandbox = await openRun(name)
    const tool = await resolved(notesTool(), { sandbox })
    const [add] = tool.definitions
    if (!add) throw new Error('there is no definition')
    const others = [
      { ...tool, env: { NOTES_VERSION: '1.0.1' } },
      { ...tool, definitions: [{ ...add, description: 'Subtracts.' }] },
      { ...tool, definitions: [{ ...add, inputSchema: { type: 'object' } }] },
      { ...tool, definitions: [{ ...add, original: 'minus' }] },
    ]
    const texts: string[] = []
    for (const other of others) {
      const call = other.definitions[0]?.original ?? ''
      const result = await withServer({ ...other, stateless: true }, { sandbox }, (server) =>
        server.call(call, {}),
      )
      texts.push(`${result.outcome}: ${result.text}`)
    }
    expect(texts).toEqual([
      'broken: notes__add cannot be called: its server is notes 1.0.1, and the run began with notes 1.0.0. Go on without it.',
      expect.stringContaining('its server defines the tool "add" in another way, and the run began with'),
      expect.stringContaining('its server defines the tool "add" in another way, and the run began with'),
      expect.stringContaining('its server lists no tool "minus" any more, and the run began with it'),
    ])
  })

  it('is ended when the ask is cancelled, in a call or while it starts', async () => {
    const sandbox = await openRun(name)
    const stopper = new AbortController()
    const reason = new Error('the trial was stopped')
    const calling = withServer(knownHostile('hangs', { timeoutMs: 60_000 }), { sandbox }, (server) => {
      setTimeout(() => stopper.abort(reason), 200)
      return server.call('go', {}, stopper.signal)
    })
    await expect(calling).rejects.toBe(reason)
    const starting = new AbortController()
    setTimeout(() => starting.abort(reason), 200)
    const started = withServer(knownHostile('silent'), { sandbox, signal: starting.signal }, async () => {})
    await expect(started).rejects.toBe(reason)
    expect(foldersLeft()).toEqual([])
    expect(runningHostile()).toBe(0)
  })

  it('starts and answers in a time that a person does not notice', async () => {
    const sandbox = await openRun(name)
    const tool = await resolved(notesTool(), { sandbox })
    const startedAt = performance.now()
    const calls = 50
    const { startMs, callMs } = await withServer(tool, { sandbox }, async (server) => {
      const readyAt = performance.now()
      for (let i = 0; i < calls; i++) await server.call('add', { a: i, b: i })
      return { startMs: readyAt - startedAt, callMs: (performance.now() - readyAt) / calls }
    })
    process.stdout.write(`MCP, ${name}: start ${startMs.toFixed(0)} ms, call ${callMs.toFixed(2)} ms\n`)
    expect(startMs).toBeLessThan(10_000)
    expect(callMs).toBeLessThan(500)
  })
})

describe('a server of MCP tools in a sandbox', () => {
  const { it } = needs('bwrap')

  it('reaches no port of this machine', async () => {
    const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => void listener.close())
    await new Promise((resolve) => listener.once('listening', resolve))
    const address = listener.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const sandbox = await openRun('bubblewrap')
    const result = await withServer(knownHostile('network'), { sandbox }, (server) =>
      server.call('go', { port }),
    )
    expect(result).toMatchObject({ outcome: 'ok', text: 'no network' })
  })
})
