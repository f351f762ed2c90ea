import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'
import { mcpFixtures } from '../../helpers/tools/mcp-tools.ts'

const tool = (allow: string, more = '') =>
  `tools: { notes: { kind: mcp, config: { command: [node, notes.mjs], files: [notes.mjs], allow: [${allow}]${more} } } }\n`

/** A folder with the server of the fixtures and a config file that describes it. */
function project(config = tool('add, count')): string {
  const cwd = tempFolder()
  copyFileSync(join(mcpFixtures, 'notes.mjs'), join(cwd, 'notes.mjs'))
  writeFileSync(join(cwd, 'bench.config.yaml'), config)
  return cwd
}

/** An agent that calls the server before it answers, and its answers are real. */
const agent = `export default () => [{ toolCalls: [{ name: 'notes__add', arguments: { a: 2, b: 3 } }] }, 'Answer: 5']\n`

const base = ['--tasks', 'market-stalls', '--methods', 'baseline', '--tools', 'notes', '--quiet']
const full = needs('bwrap')

full.describe('a run with an MCP tool of the config file', () => {
  it('calls its server in the sandbox, records its version, and is resumed and replayed to the same records', async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, 'agent.mjs'),
      `export default [[{ toolCalls: [{ name: 'notes__add', arguments: { a: 2, b: 3 } }], durationMs: 5 }, { text: 'Answer: 5', durationMs: 7 }]]\n`,
    )
    const args = ['--tasks', 'answers', '--methods', 'baseline', '--tools', 'notes', '--quiet']
    const agents = ['--agents', 'scripted:agent.mjs']
    await benchOk([...args, ...agents, '--out', 'whole'], { cwd })
    const calls = stepsOf(join(cwd, 'whole')).filter((step) => step.kind === 'tool')
    expect(calls).toHaveLength(8)
    expect(calls[0]).toMatchObject({ outcome: 'ok', tool: 'notes', sandbox: 'full' })
    const [record] = recordsOf(join(cwd, 'whole'))
    expect(record?.tools).toMatchObject({ calls: 1, turns: 2, asks: 1, servers: [{ id: 'notes' }] })
    expect((await bench([...args, ...agents, '--max-calls', '5', '--out', 'cut'], { cwd })).code).toBe(3)
    await benchOk(['run', '--resume', 'cut', '--max-calls', 'none', '--quiet'], { cwd })
    expect(recordLines(join(cwd, 'cut')).sort()).toEqual(recordLines(join(cwd, 'whole')).sort())
    // A replay starts no server.
    writeFileSync(join(cwd, 'notes.mjs'), 'process.exit(1)\n')
    await benchOk(['replay', 'whole'], { cwd })
    await refused(['run', '--resume', 'whole'], [/tool notes, file notes\.mjs\] has changed/], { cwd })
    expect(await benchOk(['show', 'whole'], { cwd })).toMatch(/tools +baseline: notes \(\S+ \S+\)/)
  })

  it('names what the server does not have, and begins no run', async () => {
    const cwd = project(tool('add, nothing'))
    await refused([...base, '--out', 'run'], [/nothing/], { cwd })
    writeFileSync(join(cwd, 'bench.config.yaml'), tool('add').replace('notes.mjs]', 'gone.mjs]'))
    await refused([...base, '--out', 'run'], [/tools\.notes/], { cwd })
    expect(existsSync(join(cwd, 'run'))).toBe(false)
  })

  it('of another user is resumed only with --trust-code, and replayed without a question', async () => {
    const cwd = project()
    const args = ['--tasks', 'answers', ...base.slice(2), '--dev', '--max-calls', '4', '--out', 'run']
    expect((await bench(args, { cwd })).code).toBe(3)
    const theirs = join(tempFolder(), 'theirs')
    cpSync(cwd, theirs, { recursive: true })
    const resume = ['run', '--resume', 'run', '--max-calls', 'none', '--quiet']
    await refused(resume, [/was not started by you.*node notes\.mjs/, /--trust-code/], { cwd: theirs })
    await benchOk(['replay', 'run'], { cwd: theirs })
    await benchOk([...resume, '--trust-code'], { cwd: theirs })
    expect(recordsOf(join(theirs, 'run'))).toHaveLength(8)
    await benchOk(resume, { cwd })
  })
})

describe('below sandbox level full, an MCP tool', () => {
  const none = ['--sandbox', 'none']
  const words = [/tool notes\] is a program that would run in no sandbox/, /--allow-unsandboxed/]

  it('of the config file or a method is refused before anything starts, in a run and in a dry run', async () => {
    const cwd = project(
      tool('add', ', env: { MARK: x }').replace('[node, notes.mjs]', '[sh, -c, "touch started; exit 1"]'),
    )
    for (const more of [
      [],
      ['--dry-run'],
      ['--confirm-above', '1', '--agents', 'scripted:paid.mjs', '--mode', 'live'],
    ]) {
      writeFileSync(
        join(cwd, 'paid.mjs'),
        `export const paid = true\nexport const simulated = false\n${agent}`,
      )
      await refused([...base, ...none, ...more, '--out', 'run'], words, { cwd })
    }
    const own = ['--tasks', 'market-stalls', '--methods', 'baseline[tools=notes]', ...none]
    await refused(own, words, { cwd })
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    expect(existsSync(join(cwd, 'run'))).toBe(false)
  })

  it('runs with --allow-unsandboxed and a warning', async () => {
    const cwd = project()
    const args = [...base, ...none, '--dev', '--allow-unsandboxed', '--out', 'run']
    const { code, stderr } = await bench(args, { cwd })
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/the program of tool notes runs in no sandbox because of --allow-unsandboxed/)
    const resume = ['run', '--resume', 'run', ...none]
    await refused(resume, words, { cwd })
    const { methods } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))
    expect(methods[0].tools.known.notes).toMatchObject({ kind: 'mcp', command: ['node', 'notes.mjs'] })
  })
})

it('the tool check needs the sandbox as the checks of a method do: the code of a paid agent would run', async () => {
  const cwd = folderOf({ 'paid.mjs': `export const paid = true\nexport const simulated = false\n${agent}` })
  const live = ['--mode', 'live', '--agents', 'scripted:paid.mjs', '--sandbox', 'none', '--tools', 'check']
  const args = ['--methods', 'baseline', '--quiet', ...live]
  await refused(
    ['--tasks', 'duration-text', ...args],
    [/paid\.mjs\] writes code that would run in no sandbox/],
    {
      cwd,
    },
  )
  const { code, stderr } = await bench(['--tasks', 'market-stalls', ...args, '--out', 'run'], { cwd })
  expect(stderr).not.toMatch(/sandbox/)
  expect(code).not.toBe(2)
})
