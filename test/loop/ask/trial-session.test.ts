import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { AskOptions } from '../../../src/ask.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'

type Run = (context: AnyContext) => Promise<unknown>

/** Plays a method with an agent that repeats its prompts; returns the earlier prompts that each call got, by prompt. */
async function play(run: Run, setting: Partial<Setting> = {}) {
  const turns: Record<string, AgentRequest['turns']> = {}
  const agent = agentOf((request) => {
    turns[request.prompt] = request.turns
    return `to ${request.prompt}`
  })
  const strategy = strategyOf(async (context) => {
    await run(context)
    return { stopReason: 'done' }
  })
  const played = await playTrial({ agent, strategy, ...setting })
  const before = Object.fromEntries(
    Object.entries(turns).map(([prompt, turns]) => [prompt, turns?.map(({ prompt }) => prompt)]),
  )
  return { ...played, before, reason: played.record.outcome.reason }
}

const shared: AskOptions = { session: 's', sessionScope: 'trial' }
const say =
  (prompt: string, options: AskOptions = shared, role = 'judge'): Run =>
  (context) =>
    context.ask(role, prompt, options)

describe('a conversation of the trial', () => {
  const long: Run = async ({ ask, branch, first, workspace }) => {
    await ask('judge', '1', shared)
    await branch('a', say('2'))
    await Promise.all([
      branch('b', (b) => b.branch('c', say('3'))),
      branch('d', say('own', { session: 's' })),
    ])
    await first({
      slow: async (slow) => {
        await say('lost')(slow)
        await slow.ask('judge', 'wait')
      },
      fast: say('4'),
    })
    const { workspace: other } = await branch('e', async (e) => e)
    workspace.adopt(other)
    await branch('f', (f) => say('5')(f).then(() => Promise.reject(new Error('f failed')))).catch(() => {})
    await ask('judge', '6', shared)
    await ask('judge', 'other name', { ...shared, session: 't' })
    await ask('planner', 'other role', shared)
    await ask('judge', 'of the branch', { session: 's' })
  }
  const turns = {
    '1': [],
    '2': ['1'],
    '3': ['1', '2'],
    own: [],
    lost: ['1', '2', '3'],
    '4': ['1', '2', '3'],
    '5': ['1', '2', '3', '4'],
    '6': ['1', '2', '3', '4', '5'],
    'other name': [],
    'other role': [],
    'of the branch': [],
  }

  it.each(['dev', 'live'] as const)('goes on across branches without adopt, in %s mode', async (mode) => {
    const { before, reason, folder, record } = await play(long, { mode })
    expect(reason).toBe('')
    expect(before).toMatchObject(turns)
    const replayed = await play(long, { mode, folder, replay: true })
    expect([replayed.divergences, replayed.before, replayed.record.spent]).toEqual([[], {}, record.spent])
  })

  it('goes on in a resumed trial', async () => {
    const stop = new AbortController()
    const stopping: Run = async (context) => {
      await say('1')(context)
      await context.branch('a', say('2'))
      stop.abort()
      await say('3')(context)
    }
    const folder = tempFolder()
    await expect(play(stopping, { folder, signal: stop.signal })).rejects.toThrow('interrupted')
    const { before } = await play(long, { folder })
    expect(before).toMatchObject({ '3': turns['3'], '6': turns['6'] })
    expect(before).not.toHaveProperty('2')
  })

  it.each(['a', 'b'])(
    'may be continued by one open branch only: the one that was opened later fails, though %s is slow',
    async (slow) => {
      const errors: string[] = []
      const race: Run = async ({ branch, ask }) => {
        await Promise.all(
          ['a', 'b', 'c'].map((name) =>
            branch(name, async (inner) => {
              if (name === slow) await inner.ask('planner', `${name} waits`)
              await inner.ask('judge', name, name === 'c' ? { ...shared, session: 'of c' } : shared)
            }).catch((error: Error) => errors.push(error.message)),
          ),
        )
        await ask('judge', 'after', shared)
      }
      const { before, folder, reason } = await play(race)
      expect(errors.splice(0)).toMatchSnapshot()
      expect(reason).toBe('')
      expect(before).toMatchObject({ a: [], b: [], after: ['a'] })
      expect((await play(race, { folder, replay: true })).divergences).toEqual([])
      expect(errors).toHaveLength(1)
    },
  )

  it('follows the dependencies of a graph, where steps beside each other may not both continue it', async () => {
    const step = (id: string, after: string[]) => ({
      id,
      after,
      run: (context: AnyContext) => say(id)(context),
    })
    const chain = await play(({ graph }) => graph([step('a', []), step('b', ['a']), step('c', ['b'])]))
    expect(chain.before).toEqual({ a: [], b: ['a'], c: ['a', 'b'] })
    const beside = await play(({ graph }) => graph([step('a', []), step('b', [])]))
    expect(beside.reason).toContain('the steps "a" and "b" both continued the conversation judge/s')
  })
})

describe('maxMessages', () => {
  const three =
    (options: AskOptions): Run =>
    async (context) => {
      for (const prompt of ['1', '2', '3', '4']) await say(prompt, { ...shared, ...options })(context)
    }
  it.each([
    [{ maxMessages: 7 }, ['1', '2', '3']],
    [{ maxMessages: 6 }, ['2', '3']],
    [{ maxMessages: 5 }, ['2', '3']],
    [{ maxMessages: 5, system: 'You judge.' }, ['3']],
    [{ maxMessages: 4, system: 'You judge.' }, ['3']],
    [{ maxMessages: 3, system: 'You judge.' }, []],
    [{ maxMessages: 2 }, []],
    [{ maxMessages: 1 }, []],
  ] as [AskOptions, string[]][])('of %o leaves out the oldest turns', async (options, kept) => {
    expect((await play(three(options))).before['4']).toEqual(kept)
  })

  it('cuts what is sent, not what is kept', async () => {
    const { before } = await play(async (context) => {
      await three({ maxMessages: 1, session: 'x' })(context)
      await say('all', { ...shared, session: 'x' })(context)
      await say('one', { session: 'own' })(context)
      await say('two', { session: 'own', maxMessages: 9 })(context)
    })
    expect(before).toMatchObject({ '4': [], all: ['1', '2', '3', '4'], two: ['one'] })
  })
})

describe('the options of an ask', () => {
  it.each([
    [
      { sessionScope: 'trial' },
      'sessionScope needs a session: name the conversation with the option session.',
    ],
    [{ maxMessages: 3 }, 'maxMessages needs a session: name the conversation with the option session.'],
    [{ session: 's', sessionScope: 'run' }, "sessionScope must be 'branch' or 'trial'."],
    [{ session: 's', maxMessages: 0 }, 'maxMessages must be a whole number of at least 1, got 0.'],
    [{ session: 's', maxMessages: 1.5 }, 'maxMessages must be a whole number of at least 1, got 1.5.'],
    [{ session: 's', maxMessages: '3' }, 'maxMessages must be a whole number of at least 1, got a string.'],
    [{ work: 'think' }, "work must be 'produce', 'judge', 'summarise' or 'decide'."],
  ])('are refused as %o', async (options, problem) => {
    const { reason } = await play(say('1', options as AskOptions))
    expect(reason).toBe(`the method broke: [strategy] ask("judge"): ${problem}`)
  })

  it('that say what holds without them leave the request’s hash as it is', async () => {
    const hashes = async (options: AskOptions, role?: string) =>
      (await play(say('1', options, role))).steps.flatMap((step) => (step.kind === 'ask' ? [step.hash] : []))
    const plain = await hashes({ session: 's' })
    expect(await hashes({ session: 's', sessionScope: 'branch' })).toEqual(plain)
    expect(await hashes({ session: 's', work: 'judge' })).toEqual(plain)
    const others: AskOptions[] = [{ sessionScope: 'trial' }, { maxMessages: 3 }, { work: 'decide' }]
    const all = await Promise.all(others.map((options) => hashes({ session: 's', ...options })))
    expect(new Set([...all.flat(), ...plain]).size).toBe(4)
  })
})
