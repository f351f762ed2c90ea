import { describe, expect, it } from 'vitest'
import { strategyProblems } from '../../../src/commands/methods/strategy-problems.ts'
import {
  requireSandbox,
  type SelectedSandbox,
  selectSandbox,
} from '../../../src/commands/open/sandbox-option.ts'
import { graders } from '../../../src/graders/registry.ts'
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Strategy } from '../../../src/strategy.ts'
import { type Problem, UserError } from '../../../src/text/errors.ts'
import { baseline } from '../../../strategies/baseline.ts'
import { chained } from '../../../strategies/chained.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'
import { agentOf, answerTask } from '../../helpers/runs/trial.ts'

const paid = agentOf(() => '', { name: 'paid', paid: true })
const program = agentOf(() => '', { name: 'program', paid: true, isProgram: true })
const free = agentOf(() => '', { name: 'free', paid: false, simulated: false })
const simulated = agentOf(() => '', { name: 'simulated', paid: false, simulated: true })

/** A sandbox option with a sandbox of this level, and the number of times it was opened. */
function chosen(level: Sandbox['level'], choice: Partial<SelectedSandbox> = {}) {
  let opened = 0
  const sandbox: SelectedSandbox = {
    choice: 'auto',
    allowUnsandboxed: false,
    run: spawnUnsandboxed,
    open: async () => {
      opened++
      return { ...(await openSandbox('none')), level, adapter: 'bubblewrap', remedy: 'Do this.' }
    },
    ...choice,
  }
  return { sandbox, opened: () => opened }
}

/** What a run says of its sandbox before its first trial. */
const notesOf = async (...given: Parameters<typeof requireSandbox>) =>
  (await requireSandbox(...given)).notes.join('\n')

const code = {
  tasks: [sampleTask({ spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }] } })],
}
const checked = { tasks: [answerTask({ checks: { runner: 'node-test', timeoutMs: 1000 } })] }
const answers = { tasks: [answerTask()] }

describe('a run with a paid agent', () => {
  it('is accepted at level full without a warning', async () => {
    expect(await requireSandbox(chosen('full').sandbox, { agents: [simulated, paid], ...code })).toEqual({
      notes: [],
      sandboxed: { level: 'full', adapter: 'bubblewrap' },
    })
  })

  it.each(['partial', 'none'] as const)('is refused at level %s if its code would run', async (level) => {
    for (const tasks of [code, checked]) {
      const refused = requireSandbox(chosen(level).sandbox, { agents: [simulated, paid], ...tasks })
      await expect(refused).rejects.toThrow(UserError)
      await expect(refused).rejects.toThrow(
        /\[agent paid\] writes code that would run in .* Do this\. .*--allow-unsandboxed/,
      )
    }
  })

  it('is accepted below level full with --allow-unsandboxed, with a warning', async () => {
    const { sandbox } = chosen('none', { allowUnsandboxed: true })
    expect(await notesOf(sandbox, { agents: [paid], ...code })).toMatch(
      /code that paid writes runs in no sandbox/,
    )
  })

  it.each(['auto', 'bubblewrap'] as const)('opens no sandbox if no code would run: %s', async (choice) => {
    const { sandbox, opened } = chosen('none', { choice })
    expect(await requireSandbox(sandbox, { agents: [paid], ...answers })).toEqual({ notes: [] })
    expect(opened()).toBe(0)
  })
})

describe('a run of a method whose stages run code', () => {
  const chain = { strategies: [baseline, chained] as Strategy[] }

  it.each(['partial', 'none'] as const)(
    'with a paid agent is refused at level %s, for answers too',
    async (level) => {
      const refused = requireSandbox(chosen(level).sandbox, { agents: [paid], ...answers, ...chain })
      await expect(refused).rejects.toThrow(
        /\[agent paid\] writes code that would run in .*--allow-unsandboxed/,
      )
      const { sandbox } = chosen(level, { allowUnsandboxed: true })
      expect(await notesOf(sandbox, { agents: [paid], ...answers, ...chain })).toMatch(
        /code that paid writes/,
      )
      expect(await notesOf(chosen('full').sandbox, { agents: [paid], ...answers, ...chain })).toBe('')
    },
  )

  it('is accepted at any level with agents that cost nothing, and if no such method runs', async () => {
    const { sandbox } = chosen('none')
    expect(await notesOf(sandbox, { agents: [simulated, free], ...answers, ...chain })).toMatchSnapshot()
    expect(await notesOf(sandbox, { agents: [paid], ...answers, strategies: [baseline] })).toBe('')
  })

  it('is the same for a method of a user that says so by an empty list', async () => {
    const own = { ...baseline, programs: [] }
    const refused = requireSandbox(chosen('none').sandbox, { agents: [paid], ...answers, strategies: [own] })
    await expect(refused).rejects.toThrow(UserError)
    expect(strategyProblems(own)).toEqual([])
    expect(strategyProblems({ ...own, programs: ['a.mjs'] })).toMatchSnapshot()
  })
})

describe('a run with an agent that is a program', () => {
  it.each(['partial', 'none'] as const)('is refused at level %s for every kind of task', async (level) => {
    for (const tasks of [code, answers])
      await expect(requireSandbox(chosen(level).sandbox, { agents: [program], ...tasks })).rejects.toThrow(
        /\[agent program\] is a program that would run in/,
      )
  })

  it('is accepted with --allow-unsandboxed, with a warning', async () => {
    const { sandbox } = chosen('none', { allowUnsandboxed: true })
    expect(await notesOf(sandbox, { agents: [program], ...answers })).toMatch(
      /the program of program runs in no sandbox/,
    )
  })
})

describe('a run whose agents are neither paid nor programs', () => {
  it.each([simulated, free])(
    'is accepted at any level, which is said with the reason: $name',
    async (agent) => {
      expect(await requireSandbox(chosen('none').sandbox, { agents: [agent], ...code })).toMatchSnapshot()
    },
  )

  it.each([simulated, free])('is refused if a sandbox is installed but fails: $name', async (agent) => {
    const { sandbox } = chosen('none')
    const open = async () => ({ ...(await sandbox.open()), broken: true as const })
    const run = { agents: [agent], ...code }
    await expect(requireSandbox({ ...sandbox, open }, run)).rejects.toThrow(/--allow-unsandboxed/)
    expect(await notesOf({ ...sandbox, open, allowUnsandboxed: true }, run)).toMatch(/runs in no sandbox/)
  })

  it('opens a named adapter before the run, so that a missing one is reported early', async () => {
    const { sandbox, opened } = chosen('partial', { choice: 'docker' })
    await requireSandbox(sandbox, { agents: [simulated], ...code })
    expect(opened()).toBe(1)
  })
})

it('every kind of grader declares whether it runs code', () => {
  const kinds = Object.entries(graders).filter(([, { runsCode }]) => runsCode)
  expect(kinds.map(([kind]) => kind)).toEqual(['tests', 'module'])
})

it('--sandbox accepts every adapter, and lists them for an unknown name', () => {
  const problems: Problem[] = []
  expect(selectSandbox(problems, { sandbox: 'podman' }).choice).toBe('podman')
  expect(selectSandbox(problems, {}).choice).toBe('auto')
  expect(problems).toEqual([])
  selectSandbox(problems, { sandbox: 'jail' })
  expect(problems).toMatchObject([{ where: '--sandbox jail', fix: expect.stringContaining('bubblewrap') }])
})

describe('a run with a server of tools', () => {
  const servers = [{ id: 'notes' }]

  it.each(['partial', 'none'] as const)(
    'is refused at level %s, whoever answers and for any task',
    async (level) => {
      for (const agents of [[simulated], [free], [paid]]) {
        const refused = requireSandbox(chosen(level).sandbox, { agents, ...answers, servers })
        await expect(refused).rejects.toThrow(
          /\[tool notes\] is a program that would run in .*--allow-unsandboxed/,
        )
      }
    },
  )

  it('is accepted at level full, and below it with --allow-unsandboxed and a warning', async () => {
    const run = { agents: [simulated], ...answers, servers }
    expect(await notesOf(chosen('full').sandbox, run)).toBe('')
    const { sandbox } = chosen('none', { allowUnsandboxed: true })
    expect(await notesOf(sandbox, run)).toMatch(/the program of tool notes runs in no sandbox/)
  })
})
