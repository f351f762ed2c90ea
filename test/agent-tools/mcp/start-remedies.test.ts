import { describe, expect, it } from 'vitest'
import { commandProblem, missingModuleFix } from '../../../src/agent-tools/mcp/resolve-mcp-tool.ts'

describe('a command that cannot work in the sandbox', () => {
  it.each([
    [
      ['npx', '-y', '@scope/server'],
      /^npx fetches the server, and the sandbox has no network$/,
      /rolldown.*files/,
    ],
    [['/usr/bin/bunx', 'server'], /^bunx fetches/, /rolldown/],
    [['npx.cmd', 'server'], /^npx fetches/, /rolldown/],
    [['npm', 'exec', 'server'], /^npm fetches/, /rolldown/],
    [['uvx', 'server'], /^uvx fetches/, /one file.*compiled/],
    [['uv', 'tool', 'run', 'server'], /^uv fetches/, /one file/],
    [['pipx', 'run', 'server'], /^pipx fetches/, /one file/],
    [['docker', 'run', '-i', 'image'], /^docker starts a container/, /rolldown/],
    [['env', 'A=1', 'npx', 'server'], /^npx fetches/, /rolldown/],
    [['sh', '-c', 'npx -y server'], /^npx fetches/, /rolldown/],
    [
      ['./server.mjs', '--x'],
      /server\.mjs does not say which program/,
      /command: \[node, \.\/server\.mjs, --x\]/,
    ],
    [['node server.mjs', '--x'], /"node server\.mjs" has a blank/, /command: \[node, server\.mjs, --x\]/],
  ])('%j is told before it is started', (command, what, fix) => {
    const found = commandProblem(command, { 'server.mjs': 'run()' })
    expect(found?.what).toMatch(what)
    expect(found?.fix).toMatch(fix)
  })

  it.each([
    [['node', 'server.mjs', 'npx']],
    [['python3', '-m', 'docker']],
    [['npm', 'start']],
    [['sh', '-c', 'node server.mjs']],
    [['./my server.mjs']],
  ])('%j is started', (command) => {
    expect(commandProblem(command, { 'my server.mjs': '#!/usr/bin/env node\n' })).toBeUndefined()
  })
})

describe('a server that finds no module', () => {
  it.each([
    ["ModuleNotFoundError: No module named 'mcp.server'", /no module mcp\.server: Python packages.*hidden/],
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from",
      /no package zod: packages.*rolldown/,
    ],
    ["Error: Cannot find module '@a/b'", /no package @a\/b/],
    ["Error: Cannot find module '/workspace/server/lib/x.mjs'", /no file lib\/x\.mjs: list/],
    ["Error: Cannot find module './x.cjs'", /no file \.\/x\.cjs: list/],
  ])('gets a remedy: %s', (said, fix) => {
    expect(missingModuleFix(said)).toMatch(fix)
  })

  it('is told apart from one that fails otherwise', () => {
    expect(missingModuleFix('TypeError: x is not a function')).toBeUndefined()
  })
})
