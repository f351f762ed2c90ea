import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { lazySandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { AgentProgram } from '../../../src/schema/agent/agent-program.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { foldersLeft, running } from '../../helpers/machine/sandboxes.ts'
import { type AnyContext, agentOf, asksIn, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const bin = mkdtempSync('/var/tmp/program-agents-')
chmodSync(bin, 0o755)
afterAll(() => rmSync(bin, { recursive: true, force: true }))

/** An agent that is one of the programs of the tests, without a sandbox. */
async function programOf(file: string, more: Partial<AgentProgram> = {}): Promise<Agent> {
  const path = join(bin, file)
  copyFileSync(join(packageRoot(), 'test/helpers/agents', file), path)
  chmodSync(path, 0o755)
  const name = 'mine=cli:m'
  const program = { command: [path], text: '$.answer', session: '$.id', ...more } as AgentProgram
  const agents = await createAgents(
    { '*': name },
    {
      ...{ tasks: [], profile: undefined, run: 'run-1', sandbox: lazySandbox('none') },
      trySubmission: () => Promise.reject(new Error('not here')),
      settings: { [name]: { program } },
    },
  )
  return agents.get(name) as Agent
}

describe('a program whose conversation belongs to the trial', () => {
  const path = join(bin, 'own-cli.mjs')
  const create = () => programOf('own-cli.mjs', { resume: [path, '--continue', '{session}'] })
  const session = { session: 's', sessionScope: 'trial' } as const
  const method = (more: { maxMessages?: number } = {}) =>
    strategyOf(async ({ ask, branch }) => {
      const one = (context: AnyContext, prompt: string) =>
        context.ask('judge', prompt, { ...session, ...more })
      await branch('a', (a) => one(a, 'one'))
      await Promise.all([branch('b', (b) => one(b, 'two')), branch('c', (c) => c.ask('judge', 'alone'))])
      await branch('d', (d) => d.branch('e', (e) => one(e, 'three')))
      await ask('judge', 'other', { session: 's' })
      return { stopReason: 'done' }
    })
  const continuedBy = (steps: readonly { kind: string }[]) =>
    Object.fromEntries(asksIn(steps).map(({ prompt, continued }) => [prompt, continued]))

  it('resumes its own session in each branch, in one HOME', async () => {
    const agent = await create()
    const { steps, record, folder } = await playTrial({ agent, strategy: method(), mode: 'live' })
    expect(record.outcome).toEqual({ status: 'completed', reason: '' })
    expect(continuedBy(steps)).toEqual({
      ...{ one: undefined, two: 'resumed', alone: undefined, three: 'resumed', other: undefined },
    })
    const given = Object.fromEntries(
      asksIn(steps).map(({ prompt, reply = '' }) => [prompt, JSON.parse(reply)]),
    )
    expect([given.one.calls, given.two.calls, given.three.calls]).toEqual([1, 2, 3])
    expect([given.alone.calls, given.other.calls]).toEqual([1, 1])
    expect(asksIn(steps).filter(({ sessionScope }) => sessionScope === 'trial')).toHaveLength(3)
    const never = agentOf(() => 'never', { name: agent.name })
    const again = { agent: never, strategy: method(), mode: 'live', folder } as const
    expect((await playTrial({ ...again, replay: true })).divergences).toEqual([])
    expect((await playTrial(again)).record.spent).toEqual(record.spent)
  })

  it('gets the last turns again where older ones are left out', async () => {
    const { steps } = await playTrial({
      ...{ agent: await create(), strategy: method({ maxMessages: 3 }), mode: 'live' },
    })
    expect(continuedBy(steps)).toMatchObject({ one: undefined, two: 'resumed', three: 'retold' })
    const { prompt } = JSON.parse(asksIn(steps).find(({ prompt }) => prompt === 'three')?.reply ?? '')
    expect(prompt).toMatch(
      /^You were asked before:\n\[\w+\]\ntwo\n\nYou answered:\n.*\n\nYou are asked now:\nthree$/,
    )
    expect(prompt).not.toMatch(/You were asked before:\n\[\w+\]\none/)
  })
})

it('a program that writes after its timeout, with a grandchild that ignores SIGTERM, changes nothing', async () => {
  const agent = await programOf('stubborn-cli.mjs')
  const alive = ['alive-child', 'alive-grandchild'].map((name) => join(bin, name))
  const sizes = () => alive.map((path) => (existsSync(path) ? statSync(path).size : 0))
  const ended: { at: number[]; running: number }[] = []
  const strategy = strategyOf(async ({ branch, outputs, workspace }) => {
    const [late, quick] = await Promise.all([
      branch('late', async (late) => {
        const work = await late.ask('solver', 'Go on. [hang]', { timeoutMs: 1500 }).catch((error) => error)
        // The program itself may run just now for the other branch.
        ended.push({ at: sizes(), running: running('stubborn-cli.mjs\0grandchild') })
        late.outputs.write('late.md', `${work.reason}: ${late.workspace.list()} ${late.workspace.diff()}`)
        return work.reason
      }),
      branch('quick', async (quick) => {
        const reply = await quick.ask('solver', 'Go. [quick]')
        for (let i = 0; i < 3; i++) await quick.ask('judge', 'Look. [quick]', { work: 'judge' })
        quick.outputs.write('quick.md', `${reply}: ${quick.workspace.read('made.txt')}`)
        return quick.workspace
      }),
    ])
    workspace.adopt(quick)
    return {
      stopReason: 'done',
      state: { late, outputs: outputs.list().map((path) => outputs.read(path) ?? '') },
    }
  })
  const { record, folder, steps, branch } = await playTrial({
    agent,
    strategy,
    task: filesTask(),
    mode: 'live',
  })
  expect(record.outcome).toEqual({ status: 'completed', reason: '' })
  expect(record.state).toEqual({ late: 'timeout', outputs: ['timeout: a.txt ', 'done: in time\n'] })
  expect([...branch.state.changed]).toEqual([['made.txt', 'in time\n']])
  expect(readFileSync(join(folder, 'artifacts', record.trial, 'outputs/late.md'), 'utf8')).toBe(
    'timeout: a.txt ',
  )
  // Both had written by then, and neither lives.
  expect(Math.min(...(ended[0]?.at ?? [0]))).toBeGreaterThan(0)
  expect(ended[0]?.running).toBe(0)
  await setTimeout(100)
  expect(sizes()).toEqual(ended[0]?.at)
  expect(running('stubborn-cli.mjs')).toBe(0)
  expect(foldersLeft()).toEqual([])
  const [timedOut] = asksIn(steps).filter(({ error }) => error)
  // The program's own end, with what it is known to have used, not that of a call which was given up.
  expect(timedOut?.error).toEqual({ reason: 'timeout', message: 'no whole reply in 1500 ms' })
  expect(timedOut?.durationMs).toBeGreaterThanOrEqual(1500)
  const replayed = await playTrial({ agent, strategy, task: filesTask(), mode: 'live', folder, replay: true })
  expect(replayed.divergences).toEqual([])
})
