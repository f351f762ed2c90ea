import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { soon, startBench, until } from '../../helpers/runs/cli.ts'

/** A server that answers what a test says, and nothing else. */
const serverThatAnswers = (names: readonly string[]) => `import { createInterface } from 'node:readline'
const serverInfo = { name: 'hang', version: '1' }
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
  'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = ${JSON.stringify(names)}.includes(method) ? results[method] : undefined
  if (result) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

function project(names: readonly string[]): string {
  const cwd = folderOf({
    'server.mjs': serverThatAnswers(names),
    'agent.mjs': "export default [{ toolCalls: [{ name: 'hang__go', arguments: {} }] }, 'x']\n",
    'bench.config.yaml':
      'tools: { hang: { kind: mcp, config: { command: [node, server.mjs], files: [server.mjs], allow: [go] } } }\n',
  })
  return cwd
}

const args = [
  'run',
  '--tasks',
  'answers',
  '--methods',
  'baseline',
  '--tools',
  'hang',
  '--quiet',
  '--out',
  'run',
]
const { it } = needs('bwrap')

/** Sends SIGINT once the server of a run hears nothing, and returns how bench ended, how long it took, and what it left. */
async function interrupt(cwd: string, more: readonly string[], ready: (temporary: string) => boolean) {
  const temporary = tempFolder()
  chmodSync(temporary, 0o755)
  const bench = startBench([...args, ...more], { cwd, env: { TMPDIR: temporary } })
  await until(() => bench.isOver() || ready(temporary))
  await soon(400)
  const startedAt = performance.now()
  bench.kill('SIGINT')
  const { code, stderr } = await bench.ended
  return { code, stderr, ms: performance.now() - startedAt, left: readdirSync(temporary) }
}

const hasServer = (temporary: string) =>
  readdirSync(temporary).some((name) => existsSync(join(temporary, name, 'workspace/server/server.mjs')))

it.each([[[]], [['--dry-run']]])(
  'Ctrl-C ends bench %j at once while a server does not list its tools',
  async (more) => {
    for (const names of [[], ['initialize']]) {
      const ended = await interrupt(project(names), more, hasServer)
      expect(ended).toMatchObject({ code: 130, left: [] })
      expect(ended.ms).toBeLessThan(10_000)
      expect(ended.stderr).not.toMatch(/error|initialize/i)
    }
  },
)

it('Ctrl-C during calls that hang leaves no folder', async () => {
  for (let round = 0; round < 3; round++) {
    const cwd = project(['initialize', 'tools/list'])
    const more = ['--agents', 'scripted:agent.mjs', '--parallel', '4']
    const isCalling = (temporary: string) => existsSync(join(cwd, 'run/run.json')) && hasServer(temporary)
    expect(await interrupt(cwd, more, isCalling)).toMatchObject({ code: 130, left: [] })
  }
})
