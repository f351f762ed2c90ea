import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { formatProblem } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, sandboxes } from '../../helpers/machine/sandboxes.ts'
import {
  type McpTool,
  mcpTool,
  notesTool,
  openRun,
  resolve,
  serverFolder,
} from '../../helpers/tools/mcp-tools.ts'

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
