import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { build } from 'rolldown'
import { describe, expect, onTestFinished } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, running, sandboxes } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { knownHostile } from '../../helpers/tools/hostile-servers.ts'
import {
  mcpFixtures,
  mcpTool,
  notesTool,
  openRun,
  resolved,
  textsOf,
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

describe.each(sandboxes)('a server of MCP tools in the sandbox %s', (name, required) => {
  const { it } = needs(...required)
  const { it: inPython } = needs(...required, 'python3')

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
    expect(textsOf(results)).toMatchSnapshot()
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
    expect(textsOf(results)).toMatchSnapshot()
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
