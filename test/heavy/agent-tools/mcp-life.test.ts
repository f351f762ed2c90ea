import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { startMcpServer } from '../../../src/agent-tools/servers.ts'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, sandboxes } from '../../helpers/machine/sandboxes.ts'
import { knownHostile, runningHostile } from '../../helpers/tools/hostile-servers.ts'
import {
  mcpTool,
  notesTool,
  openRun,
  resolved,
  serverFolder,
  textsOf,
  withServer,
} from '../../helpers/tools/mcp-tools.ts'

/** A server whose tool never answers. */
const hangingServer = `import { createInterface } from 'node:readline'
const tools = [{ name: 'go', inputSchema: { type: 'object' } }]
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const serverInfo = { name: 'hang', version: '1' }
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo } : { tools }
  if (id !== undefined && method !== 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

describe.each(sandboxes)('the life of a server of MCP tools in the sandbox %s', (name, required) => {
  const { it } = needs(...required)

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
})
