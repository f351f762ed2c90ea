import { describe, expect, it } from 'vitest'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, openBubblewrap, running, sandboxes } from '../../helpers/machine/sandboxes.ts'
import { notesTool, resolved, withServer } from '../../helpers/tools/mcp-tools.ts'

const runOf = async (name: 'none' | 'bubblewrap'): Promise<SandboxRun> =>
  name === 'none' ? spawnUnsandboxed : ((await openBubblewrap())?.run as SandboxRun)

describe.each(sandboxes)('a server of MCP tools in the sandbox %s', (name, required) => {
  const { it: test } = needs(...required)

  test('is listed before a run, and answers calls in one ask', async () => {
    const sandbox = await runOf(name)
    const tool = await resolved(notesTool(), { sandbox })
    expect(tool).toMatchObject({
      server: { name: 'notes', version: '1.0.0' },
      files: [{ path: 'notes.mjs', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    })
    expect(tool.definitions.map((one) => one.name)).toEqual([
      'notes__add',
      'notes__count',
      'notes__fail',
      'notes__files',
      'notes__place',
    ])
    const results = await withServer(tool, { sandbox }, async (server) => [
      await server.call('add', { a: 1, b: 2 }),
      await server.call('count', {}),
      await server.call('count', {}),
      await server.call('fail', {}),
    ])
    expect(results.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['ok', '3'],
      ['ok', 'call 1'],
      ['ok', 'call 2'],
      ['failed', 'there is nothing to do'],
    ])
    expect(results[0]).toMatchObject({
      server: { name: 'notes', version: '1.0.0' },
      sandbox: name === 'none' ? 'none' : 'full',
    })
    expect(foldersLeft()).toEqual([])
    expect(running('notes.mjs')).toBe(0)
  })
})
