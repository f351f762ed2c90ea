import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  recordsOf,
  refused,
  root,
  soon,
  startBench,
  stepsOf,
  until,
} from '../../helpers/runs/cli.ts'

/** Returns the calls of a method as the ledger has them: the names of tools, by outcome. A call of no tool is `unknown`. */
function callsOf(folder: string, method: string): Map<string, Set<string>> {
  const trials = recordsOf(folder).flatMap((record) => (record.method === method ? [record.trial] : []))
  const calls = new Map<string, Set<string>>()
  for (const step of stepsOf(folder)) {
    if (step.kind !== 'tool' || !trials.includes(step.trial)) continue
    const name = step.tool === undefined ? 'unknown' : step.call.name
    calls.set(step.outcome, (calls.get(step.outcome) ?? new Set()).add(name))
  }
  return calls
}

const sorted = (names: Iterable<string> = []) => [...names].sort()
const { it: inSandbox } = needs('bwrap')
const workspace = ['check', 'list', 'read', 'write']
const memory = ['memory_recall', 'memory_store']

describe('the demos of tools and memory', () => {
  it('make calls of each kind that they show, go wrong as the profile says, and replay', {
    timeout: 300_000,
  }, async () => {
    const folder = join(tempFolder(), 'run')
    const demos = { t: 'tools', m: 'memory', tm: 'tools_and_memory', p: 'primitives-tools' }
    const methods = Object.entries(demos).map(([label, name]) => `${label}=dag:${name}`)
    const tasks = 'answers/ferry-morning,code/line-patch,code/duration-text'
    await benchOk(argv`--tasks ${tasks} --methods ${methods.join()} --epochs 4 --quiet --out ${folder}`)
    const calls = new Map(Object.keys(demos).map((label) => [label, callsOf(folder, label)]))
    const ok = (label: string) => sorted(calls.get(label)?.get('ok'))
    expect(ok('t')).toEqual(workspace)
    expect(ok('m')).toEqual(memory)
    expect(ok('tm')).toEqual(sorted([...workspace, ...memory]))
    expect(ok('p')).toEqual(sorted([...workspace, ...memory]))
    const denied = [...calls.values()].flatMap((one) => [...(one.get('denied') ?? [])])
    expect(denied).toContain('unknown')
    expect(denied.some((name) => name === 'read' || name === 'write')).toBe(true)
    expect([...calls.values()].some((one) => one.has('invalid'))).toBe(true)
    expect(recordsOf(folder).filter(({ fidelity }) => fidelity?.status !== 'kept')).toEqual([])
    expect(await benchOk(['replay', folder])).toMatch(/48 trials replayed from the journal: no divergence/)
  })

  inSandbox('call the server and recall the file of the guide', { timeout: 120_000 }, async () => {
    const folder = join(tempFolder(), 'run')
    const plan = ['--tasks', 'answers/ferry-morning,answers/watch-roster', '--epochs', '5', '--quiet']
    await benchOk(argv`${plan} --methods g=dag:fixtures/tools/glossary.yaml --out ${folder}`, {
      cwd: root,
    })
    const calls = callsOf(folder, 'g')
    expect(sorted(calls.get('ok'))).toEqual(sorted(['glossary__define', 'glossary__search', ...memory]))
    expect(sorted(calls.get('failed'))).toEqual([])
    const steps = stepsOf(folder).flatMap((step) =>
      step.kind === 'tool' && step.server ? [step.server] : [],
    )
    expect(steps.length).toBeGreaterThan(5)
    for (const server of steps) expect(server).toEqual({ name: 'glossary', version: '1.0.0' })
    expect(await benchOk(['replay', folder], { cwd: root })).toContain('no divergence')
  })
})

describe('what tools change', () => {
  /** Runs one method under one label, in dev mode. Returns whether each trial passed, by task and epoch. */
  async function passed(cwd: string, method: string, profile: string, more: readonly string[] = []) {
    const folder = join(tempFolder(), 'run')
    const plan = ['--tasks', 'answers', '--epochs', '8', '--seed', '11', '--profile', profile, '--quiet']
    await benchOk([...plan, '--methods', `A=${method}`, ...more, '--out', folder], { cwd })
    const key = ({ task, epoch }: TrialRecord) => `${task} ${epoch}`
    return new Map(recordsOf(folder).map((record) => [key(record), record.passed === true]))
  }

  /** Counts the trials that passed in one run and not in the other. */
  const differences = (on: ReadonlyMap<string, boolean>, off: ReadonlyMap<string, boolean>) => ({
    trials: on.size,
    won: [...on].filter(([key, is]) => is && !off.get(key)).length,
    lost: [...on].filter(([key, is]) => !is && off.get(key)).length,
  })

  /** Writes a profile in which nothing but tools makes a difference. */
  function writeProfile(folder: string, gain: string): string {
    const text = readFileSync(join(root, 'fixtures/profiles/null.yaml'), 'utf8')
      .replace(/^failures:.*$/m, 'failures: {}')
      .replace(/^tools:.*$/m, `tools: { turns: 6, parallel: 0.25, wrong: 0.05, gain: ${gain} }`)
    const path = join(folder, `profile-${gain.length}.yaml`)
    writeFileSync(path, text)
    return path
  }

  it('a planted gain of memory is found against the same graph without it, and none is found where none is planted', {
    timeout: 300_000,
  }, async () => {
    const folder = tempFolder()
    const on = readFileSync(join(root, 'strategies/dag/memory.yaml'), 'utf8')
    writeFileSync(join(folder, 'on.yaml'), on)
    writeFileSync(join(folder, 'off.yaml'), on.replaceAll('tools: [memory], ', ''))
    const compare = async (gain: string) => {
      const profile = writeProfile(folder, gain)
      return differences(
        await passed(folder, 'dag:on.yaml', profile),
        await passed(folder, 'dag:off.yaml', profile),
      )
    }
    const planted = await compare('{ memory_recall: 2.5 }')
    expect(planted.trials).toBe(64)
    expect(planted.won).toBeGreaterThan(8)
    expect(planted.lost).toBeLessThanOrEqual(1)
    expect(await compare('{}')).toEqual({ trials: 64, won: 0, lost: 0 })
  })

  it('a planted gain of tools that the command line gives is found against the same method without them', {
    timeout: 300_000,
  }, async () => {
    const folder = tempFolder()
    const compare = async (gain: string) => {
      const profile = writeProfile(folder, gain)
      const tools = ['--tools', 'list,memory']
      return differences(
        await passed(folder, 'baseline', profile, tools),
        await passed(folder, 'baseline', profile),
      )
    }
    const planted = await compare('{ list: 2.5 }')
    expect(planted.won).toBeGreaterThan(8)
    expect(planted.lost).toBe(0)
    expect(await compare('{}')).toEqual({ trials: 64, won: 0, lost: 0 })
  })
})

describe('interrupts', () => {
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

  const args = argv`run --tasks answers --methods baseline --tools hang --quiet --out run`
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
})

const code = 'export const add = (a, b) => a - b\n'

/** A folder with a text that asks for a change, and the file to change. */
function project(): string {
  const cwd = folderOf({ 'issue.md': 'Mend add.\n', 'sum.mjs': code })
  return cwd
}

const callsIn = (folder: string) => stepsOf(folder).filter(({ kind }) => kind === 'tool')
const toolsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).methods.map(
    (one: { tools: unknown }) => one.tools,
  )
const known = { workspace: { kind: 'workspace', allow: ['read', 'list', 'write'] } }
const args = ['--tools', 'write,read,list', '--tool-turns', '4', '--seed', '3', '--quiet']

describe('tools are given to the agents', () => {
  it('of bench stage, whose calls see the files of the workflow', async () => {
    const cwd = project()
    const plan = await bench(['stage', 'plan', 'issue.md', 'w1', ...args, '-o', 'plan'], { cwd })
    expect(plan.stderr).toContain(
      'plan: the tools that it is given (read, list, write) change nothing: only roles of kind produce get them, and planner is of kind decide',
    )
    expect(toolsIn(join(cwd, 'plan'))).toEqual([undefined])
    expect(await benchOk(['show', 'plan'], { cwd })).not.toMatch(/read, list/)
    await benchOk(['stage', 'build', 'issue.md', 'w1', ...args, '-o', 'build'], { cwd })
    expect(toolsIn(join(cwd, 'build'))).toEqual([{ known, given: ['workspace'], turns: 4 }])
    const results = callsIn(join(cwd, 'build')).flatMap((step) => (step.kind === 'tool' ? [step.result] : []))
    expect(results.join('\n')).toContain('sum.mjs')
    for (const run of ['plan', 'build'])
      expect(await benchOk(['replay', run], { cwd })).toMatch(/no divergence/)
    expect(readFileSync(join(cwd, 'sum.mjs'), 'utf8')).toBe(code)
    await refused(
      argv`stage build issue.md w1 --tools raed --quiet`,
      ['no tool "raed". Did you mean "read"?'],
      { cwd },
    )
  })

  it('of a run with an instruction, whose calls see a copy of the folder', async () => {
    const cwd = project()
    mkdirSync(join(cwd, 'app'))
    cpSync(join(cwd, 'sum.mjs'), join(cwd, 'app/sum.mjs'))
    const request = ['run', '--instruction', 'issue.md', '--workspace', 'app', '--epochs', '4']
    await benchOk([...request, '--methods', 'baseline', ...args, '--out', 'run'], { cwd })
    expect(toolsIn(join(cwd, 'run'))).toEqual([{ known, given: ['workspace'], turns: 4 }])
    const results = callsIn(join(cwd, 'run')).flatMap((step) => (step.kind === 'tool' ? [step.result] : []))
    expect(results.join('\n')).toContain('sum.mjs')
    expect(await benchOk(['replay', 'run'], { cwd })).toMatch(/no divergence/)
    expect(readFileSync(join(cwd, 'app/sum.mjs'), 'utf8')).toBe(code)
  })
})
