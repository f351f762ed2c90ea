import { describe, expect, it } from 'vitest'
import { admitRun, type ChosenSandbox, chosenSandbox } from '../../src/commands/sandbox-option.ts'
import { type Problem, UserError } from '../../src/errors.ts'
import { openSandbox, type Sandbox } from '../../src/sandbox/open-sandbox.ts'
import { spawnUnsandboxed } from '../../src/sandbox/spawn.ts'
import { agentOf } from '../helpers/trial.ts'

const live = agentOf(() => '', { name: 'live', paid: true })
const free = agentOf(() => '', { name: 'free', paid: false, simulated: false })
const simulated = agentOf(() => '', { name: 'simulated', paid: false, simulated: true })

/** A choice whose sandbox turns out to be of a level, and how often it was opened. */
function chosen(level: Sandbox['level'], choice: Partial<ChosenSandbox> = {}) {
  let opened = 0
  const sandbox: ChosenSandbox = {
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

describe('a live run', () => {
  it.each([live, free])('is admitted at full, without a word: $name', async (agent) => {
    expect(await admitRun(chosen('full').sandbox, 'live', [simulated, agent])).toBeUndefined()
  })

  it.each(['partial', 'none'] as const)('is refused at %s, with where, what and fix', async (level) => {
    const refused = admitRun(chosen(level).sandbox, 'live', [simulated, live])
    await expect(refused).rejects.toThrow(UserError)
    await expect(admitRun(chosen(level).sandbox, 'live', [live])).rejects.toThrow(
      /\[agent live\] writes code that would run in .* Do this\. .*--allow-unsandboxed/,
    )
  })

  it('is admitted below full with the user’s word, and says so', async () => {
    const { sandbox } = chosen('none', { allowUnsandboxed: true })
    expect(await admitRun(sandbox, 'live', [live])).toMatch(/code that live writes runs in no sandbox at all/)
  })

  it('with agents that make nothing up of their own is admitted at any level', async () => {
    expect(await admitRun(chosen('none').sandbox, 'live', [simulated])).toBeUndefined()
  })
})

describe('a dev run', () => {
  it('is admitted at any level, and opens nothing before it needs to', async () => {
    const { sandbox, opened } = chosen('none')
    expect(await admitRun(sandbox, 'dev', [live])).toBeUndefined()
    expect(opened()).toBe(0)
  })

  it('opens at once an adapter that was named, so that a missing one is told before the run', async () => {
    const { sandbox, opened } = chosen('partial', { choice: 'docker' })
    await admitRun(sandbox, 'dev', [simulated])
    expect(opened()).toBe(1)
  })
})

it('knows the adapters by name, and lists them for any other', () => {
  const problems: Problem[] = []
  expect(chosenSandbox(problems, { sandbox: 'podman' }).choice).toBe('podman')
  expect(chosenSandbox(problems, {}).choice).toBe('auto')
  expect(problems).toEqual([])
  chosenSandbox(problems, { sandbox: 'jail' })
  expect(problems).toMatchObject([{ where: '--sandbox jail', fix: expect.stringContaining('bubblewrap') }])
})
