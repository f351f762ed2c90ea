import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StageProgram } from '../../../src/stage.ts'
import { nobody, withoutWall } from '../../helpers/graph/graphs.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'
import { chainOf, endsOf, programOf, stageOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(({ role }) =>
  role === 'planner' ? 'the plan' : 'FILE: built.txt\n```\nby an agent\n```',
)

/** A sandbox that starts nothing. */
const noSandbox: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))

/** A stage that says in a file of this machine how often it was started. */
const counted = (file: string, code = ''): StageProgram =>
  stageOf(`import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(file)}, 'x')
${code}
const { reply } = await bench.request({ ask: { role: 'planner', prompt: 'again' } })
writeFileSync('last.txt', reply + readState().plan)
writeState({ ...readState(), last: true })`)

const startsOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').length : 0)

describe.each(['dev', 'live'] as const)('in %s mode', (mode) => {
  it('a chain goes on from any line at which its journal may end, and starts no stage that has ended', async () => {
    const file = join(tempFolder(), 'starts')
    const strategy = chainOf(['plan', programOf('plan.mjs')], ['test', counted(file)])
    const setting = { agent, strategy, task: filesTask(), mode, gradeCandidates: true as const }
    const whole = await playTrial(setting)
    expect(startsOf(file)).toBe(1)
    expect(endsOf(whole).map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const lines = readFileSync(join(whole.folder, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
    for (let cut = 0; cut <= lines.length; cut++) {
      const folder = tempFolder()
      cpSync(whole.folder, folder, { recursive: true })
      writeFileSync(
        join(folder, 'steps.jsonl'),
        lines
          .slice(0, cut)
          .map((line) => `${line}\n`)
          .join(''),
      )
      const ended = lines.slice(0, cut).filter((line) => JSON.parse(line).kind === 'stage').length
      rmSync(file, { force: true })
      const asked: string[] = []
      const counting = agentOf((request) => {
        asked.push(request.role)
        return agent.ask(request, new AbortController().signal)
      })
      const resumed = await playTrial({ ...setting, agent: counting, folder })
      expect(resumed.divergences).toEqual([])
      expect(startsOf(file)).toBe(ended === 2 ? 0 : 1)
      const recorded = lines.slice(0, cut).filter((line) => JSON.parse(line).kind === 'ask').length
      expect(asked.length).toBe(3 - recorded)
      const strip = ({ record: { durationMs: _, history: __, ...rest } }: typeof resumed) =>
        withoutWall({ record: rest } as typeof resumed)
      expect(strip(resumed)).toEqual(strip(whole))
      const replayed = await playTrial({
        ...setting,
        agent: nobody,
        folder,
        replay: true,
        sandbox: noSandbox,
      })
      expect(replayed.divergences).toEqual([])
      expect(withoutWall(replayed)).toEqual(withoutWall(resumed))
      rmSync(folder, { recursive: true })
    }
  })
})

/** The journal without its last stage and all behind it. */
function cutLastStage(folder: string): void {
  const path = join(folder, 'steps.jsonl')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const last = lines.findLastIndex((line) => JSON.parse(line).kind === 'stage')
  writeFileSync(
    path,
    lines
      .slice(0, last)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

it('an unfinished stage whose prompt differs is a divergence that names the stage and both prompts', async () => {
  const play = (prompt: string, folder?: string, more: Partial<Setting> = {}) => {
    const program = { ...stageOf(''), files: { ...stageOf('').files } }
    const code = stageOf(
      `import { readFileSync } from 'node:fs'
await bench.request({ ask: { role: 'planner', prompt: readFileSync(${JSON.stringify(prompt)}, 'utf8') } })`,
    )
    return playTrial({
      agent,
      strategy: chainOf(['test', { ...program, ...code }]),
      task: filesTask(),
      folder,
      ...more,
    })
  }
  const prompt = join(tempFolder(), 'prompt')
  writeFileSync(prompt, 'the old prompt')
  const { folder } = await play(prompt)
  cutLastStage(folder)
  writeFileSync(prompt, 'the new prompt')
  const resumed = await play(prompt, folder)
  expect(resumed.divergences).toHaveLength(1)
  for (const part of ['test#0', 'in stage "test"', 'the old prompt', 'the new prompt'])
    expect(resumed.divergences[0]).toContain(part)
  expect(resumed.record.outcome.status).toBe('completed')
  const replayed = await play(prompt, folder, { replay: true, sandbox: noSandbox })
  expect(replayed.divergences).toEqual([])
})

it.each([
  ['command', { command: ['node', '{stage}/own.mjs', 'more'] }],
  ['code', { files: {} }],
  ['time limit', { timeoutMs: 1 }],
])('a stage with another %s than the journaled is a divergence', async (_, change) => {
  const program = stageOf('')
  const { folder } = await playTrial({ agent, strategy: chainOf(['test', program]), task: filesTask() })
  const strategy = chainOf(['test', { ...program, ...change }])
  const replayed = await playTrial({
    agent,
    strategy,
    task: filesTask(),
    folder,
    replay: true,
    sandbox: noSandbox,
  })
  expect(replayed.divergences[0]).toContain('stage "test"')
})

it('a limit of the trial is an answer to the stage, which keeps the work so far, and limits the trial', async () => {
  const program = stageOf(`
const ask = { role: 'planner', prompt: 'p' }
const first = await bench.request({ ask })
const second = await bench.request({ ask })
const third = await bench.request({ check: true })
writeFileSync('said.json', JSON.stringify([first, second, third]))`)
  const task = filesTask()
  let afterwards: unknown
  const strategy = strategyOf(async (context: AnyContext) => {
    try {
      await context.stage('one', program)
    } catch (error) {
      afterwards = [(error as Error).name, JSON.parse(context.workspace.read('said.json') ?? '')]
      throw error
    }
    return { stopReason: 'done' }
  })
  const setting = { agent, strategy, task, limits: { calls: 1 } }
  const played = await playTrial(setting)
  expect(played.record.outcome).toMatchObject({ status: 'limited' })
  expect(afterwards).toEqual([
    'LimitError',
    [
      { id: 1, reply: 'the plan' },
      { id: 2, error: { reason: 'limit', message: expect.stringContaining('calls') } },
      { id: 3, error: { reason: 'limit', message: expect.stringContaining('calls') } },
    ],
  ])
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true, sandbox: noSandbox })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
})

it('the time limit of a live trial ends a stage, and the trial is limited', async () => {
  const setting = {
    agent,
    strategy: chainOf(['one', stageOf('await new Promise((resolve) => setTimeout(resolve, 60_000))')]),
    task: filesTask(),
    limits: { timeMs: 800 },
    mode: 'live' as const,
  }
  const played = await playTrial(setting)
  expect(played.record.outcome).toMatchObject({ status: 'limited' })
  expect(played.record.outcome.reason).toContain('the stage "one" was cut off')
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true, sandbox: noSandbox })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
})

it('a stage that loses a live `first` is ended, and replay finds its asks in the bill', async () => {
  const slow = stageOf(`
await bench.request({ ask: { role: 'planner', prompt: 'slow' } })
await new Promise((resolve) => setTimeout(resolve, 60_000))`)
  const quick = stageOf(`
await new Promise((resolve) => setTimeout(resolve, 700))
await bench.request({ ask: { role: 'planner', prompt: 'quick' } })`)
  const strategy = strategyOf(async (context: AnyContext) => {
    const { name } = await context.first({
      slow: (inner) => inner.stage('stage', slow),
      quick: (inner) => inner.stage('stage', quick),
    })
    return { stopReason: 'done', answer: '42', state: { name } }
  })
  const setting = { agent, strategy, task: filesTask(), mode: 'live' as const }
  const played = await playTrial(setting)
  expect(played.record.state).toEqual({ name: 'quick' })
  expect(played.record.spent.calls).toBe(2)
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true, sandbox: noSandbox })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
})

it('an adapter that breaks inside of a stage ends the trial in error, and replay finds the same', async () => {
  let calls = 0
  const breaking = agentOf(() => {
    if (++calls === 2) throw new Error('boom')
    return 'fine'
  })
  const program = stageOf(`
await bench.request({ ask: { role: 'planner', prompt: 'one' } })
await bench.request({ ask: { role: 'planner', prompt: 'two' } })
await new Promise((resolve) => setTimeout(resolve, 60_000))`)
  const setting = { agent: breaking, strategy: chainOf(['one', program]), task: filesTask() }
  const played = await playTrial(setting)
  expect(played.record.outcome).toMatchObject({ status: 'error', reason: expect.stringContaining('boom') })
  expect(played.record.spent.calls).toBe(1)
})

it('a sandbox that cannot start a stage ends the trial in error, and replay finds the same', async () => {
  const program = programOf('none', { command: ['no-such-program-anywhere'] })
  const setting = { agent, strategy: chainOf(['one', program]), task: filesTask() }
  const played = await playTrial(setting)
  expect(played.record.outcome.status).toBe('error')
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true, sandbox: noSandbox })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
})

it('an interrupt ends a stage, writes nothing of it, and the next session runs it again', async () => {
  const abort = new AbortController()
  const interrupting = agentOf(() => {
    setTimeout(() => abort.abort(), 100)
    return 'ok'
  })
  const flag = join(tempFolder(), 'flag')
  const program = stageOf(`import { existsSync } from 'node:fs'
await bench.request({ ask: { role: 'planner', prompt: 'one' } })
if (!existsSync(${JSON.stringify(flag)})) await new Promise((resolve) => setTimeout(resolve, 60_000))`)
  const folder = tempFolder()
  const setting = { task: filesTask(), folder, strategy: chainOf(['one', program]) }
  await expect(playTrial({ ...setting, agent: interrupting, signal: abort.signal })).rejects.toThrow(
    'interrupted',
  )
  writeFileSync(flag, '')
  const resumed = await playTrial({ ...setting, agent: nobody })
  expect(resumed.steps.map(({ kind }) => kind)).toEqual(['ask', 'stage', 'grade'])
  expect(endsOf(resumed)[0]).toMatchObject({ exitCode: 0, asks: 1 })
})

it('a stage of a trial that knows the reference solution is journaled by hash, and replay runs it again', async () => {
  const oracle = agentOf(() => ({ text: 'FILE: a.txt\n```\nthe solution\n```', secret: true }))
  const program = stageOf(`
import { readFileSync } from 'node:fs'
const { reply } = await bench.request({ ask: { role: 'solver', prompt: 'p' } })
writeFileSync('copy.txt', readFileSync('a.txt', 'utf8'))
writeState({ reply })
console.log(reply)`)
  // The record of such a trial withholds the method's state.
  const ends: unknown[] = []
  const strategy = strategyOf(async (context: AnyContext) => {
    const { workspace, ...end } = await context.stage('one', program)
    context.workspace.adopt(workspace)
    ends.push({ ...end, copy: workspace.read('copy.txt') })
    return { stopReason: 'done', answer: '42' }
  })
  const setting = { agent: oracle, strategy, task: filesTask() }
  const played = await playTrial(setting)
  expect(ends).toMatchObject([{ exitCode: 0, copy: 'the solution\n' }])
  expect(readFileSync(join(played.folder, 'steps.jsonl'), 'utf8')).not.toContain('the solution')
  expect(existsSync(join(played.folder, 'blobs'))).toBe(false)
  const replayed = await playTrial({ ...setting, folder: played.folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
  const other = agentOf(() => ({ text: 'FILE: a.txt\n```\nanother\n```', secret: true }))
  const differs = await playTrial({ ...setting, agent: other, folder: played.folder, replay: true })
  expect(differs.divergences.length).toBeGreaterThan(0)
  expect(ends[1]).toEqual(ends[0])
})
