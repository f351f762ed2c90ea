import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StageStep } from '../../../src/schema/ledger/stage-step.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { nobody, withoutWall } from '../../helpers/graph/graphs.ts'
import { needs } from '../../helpers/house/needs.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { foldersLeft, openBubblewrap } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'
import { chainOf, endsOf, programOf, stageOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(() => 'the reply')
const noSandbox: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))

/** A tool that says what it finds, and leaves reports. */
const tool = `import { existsSync, readFileSync, writeFileSync, symlinkSync } from 'node:fs'
const names = Object.keys(process.env).filter((name) => name.startsWith('BENCH_') && name !== 'BENCH_SANDBOX')
const places = ['/state', '/stage', '/socket'].filter((path) => existsSync(path))
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null)
writeFileSync('junit.xml', '<testcase name="a" time="' + Math.random() + '" timestamp="' + Date.now() + '"/>')
writeFileSync('a.txt', 'changed by the tool')
symlinkSync('/etc/hostname', 'link')
console.log(JSON.stringify({ names, places, own: read('own.txt'), more: read('more.txt'), args: process.argv.slice(2) }))
console.error('after 0.' + process.pid + ' s')
process.exit(3)`

const code = `const out = []
writeFileSync('own.txt', 'written by the stage')
const run = { command: ['node', '{tools}/tool.mjs', 'one'], tools: ['tool.mjs'], files: { 'more.txt': 'more' }, collect: ['junit.xml', 'link', 'none'] }
out.push(await bench.request({ run }))
const { reply } = await bench.request({ ask: { role: 'planner', prompt: 'saw ' + JSON.stringify(out[0].reply.exitCode) } })
writeState({ out, reply })`
const program = stageOf(code)
const strategy = chainOf(['one', { ...program, files: { ...program.files, 'tool.mjs': tool } }])
const setting = { agent, strategy, task: filesTask() }
const outOf = (played: Parameters<typeof endsOf>[0]) => JSON.parse(endsOf(played)[0]?.state ?? '{}').out

needs('bwrap').it.each(['dev', 'live'] as const)(
  'in %s mode a tool runs apart on the files of the stage, and its result is journaled, replayed and resumed without it',
  async (mode) => {
    const sandbox = (await openBubblewrap())?.run
    const played = await playTrial({ ...setting, mode, sandbox })
    const [{ reply }] = outOf(played)
    expect(reply).toMatchObject({ exitCode: 3, stderr: 'in … s\n' })
    expect(reply.files).toEqual({ 'junit.xml': '<testcase name="a" time="0" timestamp=""/>' })
    expect(JSON.parse(reply.stdout)).toEqual({
      ...{ names: [], places: [], own: 'written by the stage', more: 'more', args: ['one'] },
    })
    // What the tool wrote is no work.
    expect(played.record.state?.files).toEqual({ 'a.txt': 'as it was\n', 'own.txt': 'written by the stage' })
    const step = played.steps.find(({ kind }) => kind === 'run')
    expect(step).toMatchObject({ key: 'one#0', stage: 'one', exitCode: 3, sandbox: 'full' })
    if (mode === 'dev') expect(reply.durationMs).toBe(500)
    const replayed = await playTrial({
      ...setting,
      ...{ mode, agent: nobody, folder: played.folder, replay: true, sandbox: noSandbox },
    })
    expect(replayed.divergences).toEqual([])
    expect(withoutWall(replayed)).toEqual(withoutWall(played))

    // The stage was under way: it runs again, the tool does not.
    const lines = readFileSync(join(played.folder, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
    const at = lines.findIndex((line) => JSON.parse(line).kind === 'run')
    const folder = tempFolder()
    cpSync(played.folder, folder, { recursive: true })
    const kept = lines.slice(0, at + 1).map((line) => `${line}\n`)
    writeFileSync(join(folder, 'steps.jsonl'), kept.join(''))
    let programs = 0
    const resumed = await playTrial({
      ...{ ...setting, mode, folder },
      sandbox: (command) => {
        programs++
        return (sandbox as NonNullable<typeof sandbox>)(command)
      },
    })
    expect(resumed.divergences).toEqual([])
    expect(programs).toBe(1)
    expect(outOf(resumed)[0].reply.stdout).toBe(reply.stdout)
    expect(foldersLeft()).toEqual([])
  },
)

it('equal dev runs have equal steps, though their tools print other times', async () => {
  const [one, two] = [await playTrial(setting), await playTrial(setting)]
  expect(one.steps).toEqual(two.steps)
})

it('a tool is ended at its time or its output, and the stage goes on; the time is not its own', async () => {
  const slow = stageOf(
    `const out = []
out.push(await bench.request({ run: { command: ['sleep', '60'], timeoutMs: 1500 } }))
out.push(await bench.request({ run: { command: ['sh', '-c', 'head -c 3000000 /dev/zero | tr "\\\\0" x'], outputBytes: 1000 } }))
out.push(await bench.request({ run: { command: ['sh', '-c', 'kill -9 $$'] } }))
writeState({ out })`,
    { timeoutMs: 1400 },
  )
  const played = await playTrial({ ...setting, strategy: chainOf(['one', slow]), mode: 'live' })
  const [late, flood, killed] = outOf(played)
  expect(late.reply).toMatchObject({ exitCode: null, reason: 'still running after the limit of 1500 ms' })
  expect(flood.reply.exitCode).toBe(null)
  expect(flood.reply.stdout.length).toBeLessThan(1100)
  // It runs twice, and is then the tool's own deed.
  expect(killed.reply).toMatchObject({ exitCode: null, reason: 'was ended by SIGKILL' })
  expect(played.record.outcome.status).toBe('completed')
})

it('a wrong request is answered as invalid, and nothing runs', async () => {
  const wrong = [
    {},
    { command: [] },
    { command: ['sh'], tools: ['none.mjs'] },
    { command: ['sh'], tools: ['__proto__'] },
    { command: ['sh'], files: { '../x': '' } },
    { command: ['sh'], files: { '/x': '' } },
    { command: ['sh'], collect: ['../state/state.json'] },
    { command: ['sh'], collect: ['/etc/hostname'] },
    { command: ['sh'], timeoutMs: 0 },
    { command: ['sh'], timeoutMs: 1e12 },
    { command: ['sh'], outputBytes: 1e9 },
    { command: ['sh'], env: { A: 'b' } },
    { command: 'sh' },
    true,
  ]
  const asking = programOf('own.mjs', {
    code: `import { open, writeState } from './client.mjs'
const bench = open()
const { hello } = await bench.hello()
const out = []
for (const run of ${JSON.stringify(wrong)}) out.push(await bench.request({ run }))
writeState({ out, hello })
bench.close()`,
  })
  const played = await playTrial({ ...setting, strategy: chainOf(['one', asking]) })
  const out = outOf(played) as { error: { reason: string } }[]
  expect(out.map(({ error }) => error.reason)).toEqual(wrong.map(() => 'invalid'))
  expect(played.steps.some(({ kind }) => kind === 'run')).toBe(false)
})

it('the hello names the requests that this bench answers', async () => {
  const asking = programOf('own.mjs', {
    code: `import { open, writeState } from './client.mjs'
const bench = open()
writeState({ out: await bench.hello() })
bench.close()`,
  })
  const { hello } = outOf(await playTrial({ ...setting, strategy: chainOf(['one', asking]) }))
  expect(hello).toMatchObject({
    version: 1,
    requests: ['ask', 'label', 'check', 'saving', 'run', 'read', 'finish'],
  })
})

it('secrets are removed from what a tool prints and leaves, and a secret trial keeps hashes alone', async () => {
  const secret = 'sk-ant-REDACTED'
  const redact = createRedactor([{ name: 'MY_API_KEY', value: secret }])
  const leak =
    stageOf(`const out = [await bench.request({ run: { command: ['sh', '-c', 'echo ${secret}; echo ${secret} > k.txt'], collect: ['k.txt'] } })]
writeState({ out })`)
  const played = await playTrial({ ...setting, strategy: chainOf(['one', leak]), redact })
  expect(JSON.stringify([played.record, played.steps])).not.toContain(secret)

  const oracle = agentOf(() => ({ text: 'FILE: a.txt\n```\nthe solution\n```', secret: true }))
  const tells = stageOf(`await bench.request({ ask: { role: 'solver', prompt: 'p' } })
const out = [await bench.request({ run: { command: ['cat', 'a.txt'], collect: ['a.txt'] } })]
writeState({ out })`)
  const hidden = { ...setting, agent: oracle, strategy: chainOf(['one', tells]) }
  const secretly = await playTrial(hidden)
  expect(readFileSync(join(secretly.folder, 'steps.jsonl'), 'utf8')).not.toContain('the solution')
  expect(existsSync(join(secretly.folder, 'blobs'))).toBe(false)
  const replayed = await playTrial({ ...hidden, folder: secretly.folder, replay: true })
  expect(replayed.divergences).toEqual([])
})

it('the time limit of a live trial ends a tool, and the trial is limited', async () => {
  const waits = stageOf(`const out = [await bench.request({ run: { command: ['sleep', '60'] } })]
writeState({ out })`)
  const limited = {
    ...{ ...setting, strategy: chainOf(['one', waits]), mode: 'live' as const },
    limits: { timeMs: 2500 },
  }
  const played = await playTrial(limited)
  expect(played.record.outcome).toMatchObject({ status: 'limited', reason: expect.stringContaining('tool') })
  const replayed = await playTrial({ ...limited, folder: played.folder, replay: true, sandbox: noSandbox })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
})

describe('savings', () => {
  const agent = agentOf(() => 'a reply')
  const noSandbox: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))

  const testing = `for (const rawTokens of [1000, 50])
  await bench.request({ saving: { tool: 'test-runner', rawTokens, compactTokens: 100 } })`
  const building = `await bench.request({ ask: { role: 'planner', prompt: 'p' } })
await bench.request({ saving: { tool: 'build-checker', rawTokens: 0, compactTokens: 16 } })`
  const strategy = chainOf(['build', stageOf(building)], ['test', stageOf(testing)], ['plan', stageOf('')])
  const rows = [
    { stage: 'build', tool: 'build-checker', rawTokens: 0, compactTokens: 16 },
    { stage: 'test', tool: 'test-runner', rawTokens: 1000, compactTokens: 100 },
    { stage: 'test', tool: 'test-runner', rawTokens: 50, compactTokens: 100 },
  ]

  it.each(['dev', 'live'] as const)(
    'in %s mode the savings of a stage are in its step and in the record, and stay there on resume and replay',
    async (mode) => {
      const setting = { agent, strategy, task: filesTask(), mode }
      const played = await playTrial(setting)
      const stages = played.steps.flatMap((step) => (step.kind === 'stage' ? [StageStep.parse(step)] : []))
      expect(stages.map(({ savings }) => savings?.length)).toEqual([1, 2, undefined])
      expect(played.record.savings).toEqual(rows)
      const lines = readFileSync(join(played.folder, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
      for (let cut = 0; cut <= lines.length; cut++) {
        const folder = tempFolder()
        cpSync(played.folder, folder, { recursive: true })
        const kept = lines.slice(0, cut).map((line) => `${line}\n`)
        writeFileSync(join(folder, 'steps.jsonl'), kept.join(''))
        const resumed = await playTrial({ ...setting, folder })
        expect(resumed.record.savings).toEqual(rows)
      }
      const replayed = await playTrial({
        ...setting,
        ...{ agent: nobody, folder: played.folder, replay: true, sandbox: noSandbox },
      })
      expect(replayed.divergences).toEqual([])
      expect(withoutWall(replayed)).toEqual(withoutWall(played))
    },
  )

  it('the savings of a trial that knows the reference solution are kept, though the texts of its stages are withheld', async () => {
    const oracle = agentOf(() => ({ text: 'FILE: a.txt\n```\nthe solution\n```', secret: true }))
    const program = stageOf(`await bench.request({ ask: { role: 'solver', prompt: 'p' } })\n${testing}`)
    const setting = { agent: oracle, strategy: chainOf(['test', program]), task: filesTask() }
    const played = await playTrial(setting)
    expect(played.steps.find(({ kind }) => kind === 'stage')).toMatchObject({
      resultHash: expect.any(String),
      savings: [{ rawTokens: 1000 }, { rawTokens: 50 }],
    })
    expect(played.steps.find(({ kind }) => kind === 'stage')).not.toHaveProperty('log')
    expect(played.record.savings).toEqual(rows.slice(1))
    const replayed = await playTrial({ ...setting, folder: played.folder, replay: true })
    expect(replayed.divergences).toEqual([])
    expect(withoutWall(replayed)).toEqual(withoutWall(played))
  })

  it('savings of stages side by side stand in the order of the clock', async () => {
    const program = (tool: string, asks: number) =>
      stageOf(`for (let i = 0; i < ${asks}; i++) await bench.request({ ask: { role: 'planner', prompt: 'p' } })
await bench.request({ saving: { tool: '${tool}', rawTokens: 2, compactTokens: 1 } })`)
    const sideBySide = strategyOf(async (context: AnyContext) => {
      const run = (name: string, asks: number) =>
        context.branch(name, (own: AnyContext) => own.stage('s', program(name, asks)))
      await Promise.all([run('slow', 3), run('quick', 1), run('same', 1)])
      return { stopReason: 'done', answer: '42' }
    })
    const { record } = await playTrial({ agent, strategy: sideBySide, task: filesTask(), mode: 'dev' })
    expect(record.savings?.map(({ tool }) => tool)).toEqual(['quick', 'same', 'slow'])
  })

  it('a saving stands in the record whether its stage ends well, fails or crashes', async () => {
    const code = (end: string) =>
      stageOf(`await bench.request({ saving: { tool: 't', rawTokens: 10, compactTokens: 5 } })\n${end}`)
    const ends = { good: '', bad: 'process.exit(1)', crashed: "process.kill(process.pid, 'SIGSEGV')" }
    const chain = chainOf(...Object.entries(ends).map(([id, end]) => [id, code(end)] as const))
    const played = await playTrial({ agent, strategy: chain, task: filesTask() })
    expect(endsOf(played).map(({ exitCode }) => exitCode)).toEqual([0, 1, null])
    expect(played.record.savings?.map(({ stage }) => stage)).toEqual(['good', 'bad', 'crashed'])
  })

  it('a wrong saving is answered as invalid and is written nowhere', async () => {
    const wrong = [
      { tool: 't', rawTokens: -1, compactTokens: 0 },
      { tool: 't', rawTokens: 1.5, compactTokens: 0 },
      { tool: 't', rawTokens: 1, compactTokens: 1e300 },
      { tool: 't', rawTokens: 1e15, compactTokens: 1 },
      { tool: 't', rawTokens: 2 ** 24 + 1, compactTokens: 1 },
      { tool: 't', rawTokens: 1, compactTokens: 2 ** 24 + 1 },
      { tool: 't', rawTokens: '1', compactTokens: 1 },
      { tool: 't', rawTokens: 1 },
      { tool: '', rawTokens: 1, compactTokens: 1 },
      { tool: 'the answer\n42', rawTokens: 1, compactTokens: 1 },
      { tool: 'x'.repeat(101), rawTokens: 1, compactTokens: 1 },
      { tool: 't', rawTokens: 1, compactTokens: 1, share: 2 },
      [],
      null,
      true,
    ]
    const program = programOf('own.mjs', {
      code: `import { open, writeState } from './client.mjs'
const bench = open()
await bench.hello()
const out = []
for (const saving of ${JSON.stringify(wrong)}) out.push(await bench.request({ saving }))
writeState({ out })
bench.close()`,
    })
    const played = await playTrial({ agent, strategy: chainOf(['one', program]), task: filesTask() })
    const { out } = JSON.parse(endsOf(played)[0]?.state ?? '')
    expect(out.map(({ error }: { error: { reason: string } }) => error.reason)).toEqual(
      wrong.map(() => 'invalid'),
    )
    expect(played.record.savings).toBeUndefined()
    expect(played.steps.find(({ kind }) => kind === 'stage')).not.toHaveProperty('savings')
  })
})
