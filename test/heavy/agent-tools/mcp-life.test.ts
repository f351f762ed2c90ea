import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { startMcpServer } from '../../../src/agent-tools/servers.ts'
import { formatProblem } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, sandboxes } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, refused, stepsOf } from '../../helpers/runs/cli.ts'
import { knownHostile, runningHostile } from '../../helpers/tools/hostile-servers.ts'
import {
  type McpTool,
  mcpTool,
  notesTool,
  openRun,
  resolve,
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

const where = 'tools.notes'
const around = 'It runs in the sandbox, without a network and with'

/** Tools that cannot be used, each with all that is told about it. */
const wrong: readonly (readonly [name: string, tool: McpTool, problems: readonly (string | RegExp)[]])[] = [
  [
    'a program that is not there',
    notesTool({ command: ['no-such-program', 'x'] }),
    [
      `[${where}.command] the server cannot be started: the program no-such-program was not found in the sandbox. ${around} notes.mjs of the working folder.`,
    ],
  ],
  [
    'a script that is not declared',
    mcpTool({ command: ['./notes.mjs'], allow: ['add'] }),
    [
      `[${where}.command] the server cannot be started: the program ./notes.mjs was not found in the sandbox. ${around} no file of the working folder.`,
    ],
  ],
  [
    'a program of Node that is not declared',
    mcpTool({ command: ['node', 'notes.mjs'], allow: ['add'] }),
    [
      /^\[tools\.notes\.command\] the server ended with exit code 1\. Its stderr ends with:\n[\s\S]*Node\.js v/,
    ],
  ],
  [
    'a program that reads a file of the user',
    mcpTool({ command: ['node', '-e', 'require("./package.json")'], allow: ['add'] }),
    [/the server ended with exit code 1[\s\S]*MODULE_NOT_FOUND/],
  ],
  [
    'several wrong fields',
    notesTool({ files: ['gone.mjs', '../notes.mjs'], env: { BENCH_X: '1', 'no name': '2' } }),
    [
      /^\[tools\.notes\.files\] "gone\.mjs" does not exist in .*\. Correct the path\.$/,
      `[${where}.files] "../notes.mjs" is no path inside of the working folder. Write a path below the working folder, with \`/\` between names.`,
      `[${where}.env] "BENCH_X" begins with BENCH_, as only variables of bench do. Rename it, or take it out.`,
      `[${where}.env] "no name" is not the name of an environment variable. Rename it, or take it out.`,
    ],
  ],
  [
    'several names that the server does not have',
    notesTool({ allow: ['ad', 'add', 'remove'] }),
    [
      `[${where}.allow] the server has no tool "ad". Did you mean "add"? It has add, count, fail, files, place.`,
      `[${where}.allow] the server has no tool "remove". It has add, count, fail, files, place.`,
    ],
  ],
]

describe.each(sandboxes)('resolving a tool in the sandbox %s', (name, required) => {
  const { it } = needs(...required)

  it.each(wrong)('%s is told before a run, with the same words at every level', async (_, tool, problems) => {
    const found = await resolve(tool, { sandbox: await openRun(name) })
    const lines = 'problems' in found ? found.problems.map(formatProblem) : []
    expect(lines).toEqual(problems.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))))
    expect(foldersLeft()).toEqual([])
  })

  it('a script that is started by its path runs, though files are copied without their modes', async () => {
    const source = `#!/usr/bin/env node
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'script', version: '1' } }
    : { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`
    const cwd = serverFolder(source, 'server.cjs')
    writeFileSync(join(cwd, 'other.txt'), 'not declared')
    const tool = mcpTool({ command: ['./server.cjs'], files: ['server.cjs'], allow: ['go'] })
    const found = await resolve(tool, { cwd, sandbox: await openRun(name) })
    expect(found).toMatchObject({ tool: { server: { name: 'script' }, definitions: [{ description: '' }] } })
  })

  it('what a run records of a tool is the same each time', async () => {
    const sandbox = await openRun(name)
    const tool = notesTool({ env: { GREETING: 'hello' } })
    expect(await resolve(tool, { sandbox })).toEqual(await resolve(tool, { sandbox }))
  })
})

const text = { type: 'string' }
const schemas = {
  old: {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    properties: null,
    required: true,
  },
  pattern: { type: 'object', properties: { word: { type: 'string', pattern: '(?x) [a-z]+ # words' } } },
  tuple: { type: 'object', properties: { pair: { type: 'array', items: [text, text] } } },
  elsewhere: { type: 'object', properties: { word: { $ref: 'https://example.org/word.json' } } },
  either: {
    type: 'object',
    anyOf: [{ properties: { a: text }, required: ['a'] }, { properties: { b: text } }],
  },
}

function project(ids: readonly string[]): string {
  const cwd = tempFolder()
  const tools = Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema }))
  writeFileSync(
    join(cwd, 'server.mjs'),
    `import { createInterface } from 'node:readline'
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'odd', version: '1' } },
  'tools/list': { tools: ${JSON.stringify(tools)} },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
})`,
  )
  const config = `{ command: [node, server.mjs], files: [server.mjs], allow: [${Object.keys(schemas).join(', ')}] }`
  const entries = ids.map((id) => `  ${id}: { kind: mcp, config: ${config} }\n`).join('')
  writeFileSync(join(cwd, 'bench.config.yaml'), `tools:\n${entries}`)
  return cwd
}

const { it } = needs('bwrap')
const args = (tools: string) => argv`run --tasks answers --methods baseline --tools ${tools} --out run`

it('tools with schemas that are odd are called in a run, and what is not checked is told by name before', async () => {
  const cwd = project(['odd'])
  const { code, stderr } = await bench([...args('odd'), '--epochs', '6'], { cwd })
  expect(code, stderr).toBe(0)
  const notes = stderr.split('\n').filter((line) => line.includes('bench cannot use'))
  expect(notes).toEqual([
    expect.stringMatching(/tool odd__elsewhere: .*the reference https:\/\/example\.org\/word\.json;/),
    expect.stringMatching(/tool odd__pattern: .*the pattern \(\?x\) \[a-z\]\+ # words;/),
  ])
  const calls = stepsOf(join(cwd, 'run')).flatMap((step) => (step.kind === 'tool' ? [step] : []))
  const ok = new Set(calls.filter(({ outcome }) => outcome === 'ok').map(({ call }) => call.name))
  expect([...ok].sort()).toEqual(
    Object.keys(schemas)
      .map((name) => `odd__${name}`)
      .sort(),
  )
  expect(calls.filter(({ outcome }) => outcome === 'broken')).toEqual([])
  expect(await benchOk(['replay', 'run'], { cwd })).toContain('no divergence')
})

it('two servers whose tools have one name for models are refused by name', async () => {
  const cwd = project(['a.b', 'a_b'])
  await refused(args('a.b,a_b'), [/"old" of a\.b and "old" of a_b have one name for models: a_b__old/], {
    cwd,
  })
})
