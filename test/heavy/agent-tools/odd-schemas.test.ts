import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, refused, stepsOf } from '../../helpers/runs/cli.ts'

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
const args = (tools: string) => [
  'run',
  '--tasks',
  'answers',
  '--methods',
  'baseline',
  '--tools',
  tools,
  '--out',
  'run',
]

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
