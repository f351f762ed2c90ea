import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Asked } from '../../../src/loop/trial/call-order.ts'
import { fidelityOf } from '../../../src/loop/trial/fidelity.ts'
import type { Flow } from '../../../src/schema/method/declaration.ts'
import type { StrategyContext, StrategyResult } from '../../../src/strategy.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** Asks of the root branch, in order; `!` marks a failed one. */
const line = (text: string): Asked[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, i) => ({
      branch: '',
      openedAt: [],
      step: {
        key: `#${i}`,
        role: word.replace('!', ''),
        ...(word.endsWith('!') && { error: { reason: 'server', message: '' } }),
      },
    }))
const verdict = (flow: Flow, text: string, early = false, options = {}) =>
  fidelityOf({ flow, stop: '', context: '' }, options, line(text), early)
const keeps = (flow: Flow, text: string, early = false, options = {}) =>
  verdict(flow, text, early, options).status === 'kept'

describe('the fidelity of a trial', () => {
  it('deviates when the declaration throws, and the trial ends as without it', async () => {
    const strategy = {
      ...strategyOf(async ({ ask }) => ({ stopReason: 'done', answer: await ask('solver', 'go') })),
      declaration: () => {
        throw new Error('boo')
      },
    }
    const { record } = await playTrial({ agent: agentOf(() => 'Answer: 42'), strategy })
    expect(record.outcome.status).toBe('completed')
    expect(record.fidelity).toEqual({ status: 'deviates', at: 'the declaration threw: boo' })
  })

  const loop: Flow = [{ repeat: ['writer', 'reviewer'], most: 'rounds', until: 'writer' }, 'closer']
  const rounds = { rounds: 2 }

  it('is kept by the declared order, rounds and exit of a loop', () => {
    expect(keeps(loop, 'writer closer', false, rounds)).toBe(true)
    expect(keeps(loop, 'writer reviewer writer closer', false, rounds)).toBe(true)
    expect(keeps(loop, 'writer reviewer writer reviewer closer', false, rounds)).toBe(true)
    expect(keeps(loop, 'writer reviewer writer reviewer writer closer', false, rounds)).toBe(false)
    expect(keeps(loop, 'reviewer writer closer', false, rounds)).toBe(false)
    expect(keeps(loop, 'writer reviewer', false, rounds)).toBe(false)
  })

  it('names where the asks deviate, and what was declared there', () => {
    expect(verdict(loop, 'writer writer', false, rounds).at).toMatchSnapshot()
    expect(verdict(loop, 'writer', false, rounds).at).toMatchSnapshot()
    expect(verdict('solver', 'solver solver').at).toMatchSnapshot()
    expect(verdict('solver', '').at).toBe('at the beginning: it ended, declared is solver')
  })

  it('accepts any beginning of the flow for a trial that ended early, and nothing else', () => {
    fc.assert(
      fc.property(fc.nat(5), (length) => {
        const whole = 'writer reviewer writer reviewer closer'.split(' ')
        expect(keeps(loop, whole.slice(0, length).join(' '), true, rounds)).toBe(true)
      }),
    )
    expect(keeps(loop, 'writer closer writer', true, rounds)).toBe(false)
  })

  it('accepts a line that ends at a failed ask', () => {
    expect(keeps(loop, 'writer reviewer!', false, rounds)).toBe(true)
    expect(keeps(loop, 'writer! closer reviewer', false, rounds)).toBe(false)
  })

  it('is computed for any number of rounds', () => {
    expect(keeps({ repeat: { maybe: 'a' }, most: 1e9 }, 'a a')).toBe(true)
    expect(keeps({ repeat: 'a', times: 1e9 }, 'a', true)).toBe(true)
    expect(keeps({ repeat: 'a', times: 3 }, 'a a')).toBe(false)
  })

  it('ignores roles on demand, and is `undeclared` without a declaration', () => {
    const declaration = { flow: ['a', 'b'], onDemand: ['s'], stop: '', context: '' }
    expect(fidelityOf(declaration, {}, line('a s s b s'), false).status).toBe('kept')
    expect(fidelityOf(undefined, {}, line('a'), false)).toEqual({ status: 'undeclared' })
  })
})

/** Asks of branches that were opened together, a text for each branch. */
const sideBySide = (texts: readonly string[]): Asked[] =>
  texts.flatMap((text, branch) =>
    line(text).map(({ step }) => ({
      branch: `b${branch}`,
      openedAt: [0, 0],
      step: { ...step, key: `b${branch}${step.key}` },
    })),
  )

describe('a flow that names what runs side by side', () => {
  const verdictOn = (flow: Flow, texts: readonly string[], early = false) =>
    fidelityOf({ flow, stop: '', context: '' }, {}, sideBySide(texts), early)
  const keepsAll = (flow: Flow, texts: readonly string[], early = false) =>
    verdictOn(flow, texts, early).status === 'kept'
  const pair: Flow = { beside: ['a', ['b', 'c']] }

  it('is kept when each part runs once, in any order of the branches', () => {
    expect(keepsAll(pair, ['a', 'b c'])).toBe(true)
    expect(keepsAll(pair, ['b c', 'a'])).toBe(true)
    expect(keepsAll({ beside: ['a', 'a'] }, ['a', 'a'])).toBe(true)
    expect(keepsAll({ beside: ['a'] }, ['a'])).toBe(true)
  })

  it('is left, and says where, when a part is missing, comes twice, or goes on', () => {
    expect(verdictOn({ beside: ['a', 'b'] }, ['a', 'a']).at).toMatchSnapshot()
    expect(verdictOn(pair, ['a']).at).toMatchSnapshot()
    expect(verdictOn(pair, ['a', 'b']).at).toBe('after b (1 asked): it ended, declared is c')
    expect(verdictOn(pair, ['a', 'b c', 'a']).status).toBe('deviates')
    expect(verdict(pair, 'a b c').at).toBe('at the beginning: a was asked, declared is 2 side by side')
  })

  it('takes a beginning of each branch where the trial ended early, but no other branch', () => {
    expect(keepsAll(pair, ['b'], true)).toBe(true)
    expect(keepsAll(pair, [], true)).toBe(true)
    expect(keepsAll(pair, ['b', 'b'], true)).toBe(false)
    expect(keeps([pair, 'd'], 'd', true)).toBe(false)
  })

  it('needs no branch for a part that may ask nobody', () => {
    const maybe: Flow = { beside: ['a', { maybe: 'b' }] }
    expect(keepsAll(maybe, ['a'])).toBe(true)
    expect(keepsAll(maybe, ['a', 'b'])).toBe(true)
    expect(keepsAll(maybe, ['b'])).toBe(false)
    expect(keeps([{ beside: [{ maybe: 'a' }, { maybe: 'b' }] }, 'c'], 'c')).toBe(true)
  })

  const parts = fc.constantFrom<Flow>(
    ...['a', 'b', ['a', 'b'] as const, { either: ['a', 'b'] }, { maybe: 'a' }, { maybe: ['b', 'a'] }],
  )
  const texts = fc.array(fc.constantFrom('a', 'b', 'a b', 'b a', 'a a'), { maxLength: 4 })

  it('with n equal parts means the same as that part n times', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 4 }), texts, fc.boolean(), (part, n, texts, early) => {
        fc.pre(!keeps(part, '')) // a counted part always needs its branches
        const each = keepsAll({ beside: Array<Flow>(n).fill(part) }, texts, early)
        expect(each).toBe(keepsAll({ beside: part, times: n }, texts, early))
      }),
    )
  })

  it('is kept exactly when the branches can be given to the parts, one each', () => {
    const fits = (all: readonly Flow[], texts: readonly string[], early: boolean): boolean => {
      const [text, ...others] = texts
      if (text === undefined) return early || all.every((part) => keeps(part, ''))
      return all.some((part, i) => keeps(part, text, early) && fits(all.toSpliced(i, 1), others, early))
    }
    fc.assert(
      fc.property(
        fc.array(parts, { minLength: 1, maxLength: 4 }),
        texts,
        fc.boolean(),
        (all, texts, early) => {
          expect(keepsAll({ beside: all }, texts, early)).toBe(fits(all, texts, early))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the fidelity of a trial with branches', () => {
  type Context = StrategyContext<string, unknown>
  const done: StrategyResult = { stopReason: 'done' }
  const flow: Flow = [{ beside: ['solver', 'judge'], times: 3 }, { beside: 'judge', most: 2 }, 'planner']
  const declared = (run: (context: AnyContext) => Promise<StrategyResult>, declaration: Flow = flow) => ({
    ...strategyOf(run),
    declaration: { flow: declaration, stop: '', context: '' },
  })
  const side = (context: Context, count: number, work: (branch: Context, n: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, n) => context.branch(`b${n}`, (branch) => work(branch, n))))
  const both = async ({ ask }: Context) => {
    await ask('solver', 'Do.')
    await ask('judge', 'Look.')
  }
  const judge = ({ ask }: Context) => ask('judge', 'Look.')

  // Without durations, only the strategy determines the order.
  const silent = agentOf(() => ({ text: 'x', durationMs: 0 }))
  const fidelity = async (
    run: (context: AnyContext) => Promise<StrategyResult>,
    declaration?: Flow,
    agent = silent,
  ) => (await playTrial({ agent, strategy: declared(run, declaration) })).record.fidelity

  it('is kept whatever the timing of its branches, also for groups in sequence', async () => {
    const run = async (context: AnyContext) => {
      await side(context, 3, both)
      await side(context, 2, judge)
      await context.ask('planner', 'Go.')
      return done
    }
    expect(await fidelity(run)).toEqual({ status: 'kept' })
    const uneven = agentOf(({ trial }) => ({ durationMs: trial.key.startsWith('b1') ? 5000 : 1 }))
    expect(await fidelity(run, flow, uneven)).toEqual({ status: 'kept' })
  })

  it('deviates at an extra ask in a branch, a missing branch, and groups in another order', async () => {
    const tooMany = await fidelity(async (context) => {
      await side(context, 3, async (branch, n) => {
        await both(branch)
        if (n === 2) await judge(branch)
      })
      await context.ask('planner', 'Go.')
      return done
    })
    expect(tooMany).toMatchObject({ status: 'deviates', at: expect.stringContaining('judge was asked') })

    const tooFew = await fidelity(async (context) => {
      await side(context, 2, both)
      await side(context, 1, judge)
      await context.ask('planner', 'Go.')
      return done
    })
    expect(tooFew?.at).toBe('at the beginning: 2 side by side was asked, declared is 3 side by side')

    const swapped = await fidelity(async (context) => {
      await side(context, 2, judge)
      await side(context, 3, both)
      await context.ask('planner', 'Go.')
      return done
    })
    expect(swapped?.status).toBe('deviates')
  })

  it('keeps to a list of what runs side by side, whichever branch is faster, and at the replay', async () => {
    const debate: Flow = [{ beside: ['solver', ['planner', 'judge']] }, 'judge']
    const strategy = declared(async (context) => {
      await Promise.all([
        context.branch('one', ({ ask }) => ask('solver', 'Do.')),
        context.branch('two', async ({ ask }) => {
          await ask('planner', 'Plan.')
          await ask('judge', 'Look.')
        }),
      ])
      await judge(context)
      return done
    }, debate)
    for (const slow of ['one', 'two']) {
      const agent = agentOf(({ trial }) => ({
        text: 'x',
        durationMs: trial.key.startsWith(slow) ? 5000 : 1,
      }))
      const { folder, record } = await playTrial({ agent, strategy })
      expect(record.fidelity).toEqual({ status: 'kept' })
      const replayed = await playTrial({ agent, strategy, folder, replay: true })
      expect(replayed.record.fidelity).toEqual({ status: 'kept' })
    }
  })

  it('covers nested branches, a group opened beside an ask, and a failed branch', async () => {
    const nested: Flow = [
      'planner',
      { beside: ['solver', { beside: 'judge', times: 2 }], times: 2 },
      'planner',
    ]
    const run = async (context: AnyContext) => {
      await context.ask('planner', 'Go.')
      await side(context, 2, async (branch) => {
        await branch.ask('solver', 'Do.').catch(() => '')
        await side(branch, 2, judge)
      }).catch(() => {})
      await context.ask('planner', 'End.')
      return done
    }
    expect(await fidelity(run, nested)).toEqual({ status: 'kept' })

    const failing = agentOf(({ trial }) =>
      trial.key === 'b1#0' ? { error: { reason: 'server', message: '' } } : 'x',
    )
    const throwing = async (context: AnyContext) => {
      const ended = await Promise.allSettled([0, 1, 2].map((n) => context.branch(`b${n}`, both)))
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      await context.ask('planner', 'End.')
      return done
    }
    expect(await fidelity(throwing, [{ beside: ['solver', 'judge'], times: 3 }, 'planner'], failing)).toEqual(
      {
        status: 'kept',
      },
    )
  })

  it('is the same in the record of a replay', async () => {
    const strategy = declared(async (context) => {
      await side(context, 3, both)
      await side(context, 2, judge)
      await context.ask('planner', 'Go.')
      return done
    })
    const { folder, record } = await playTrial({ agent: silent, strategy })
    const replayed = await playTrial({ agent: silent, strategy, folder, replay: true })
    expect(replayed.record.fidelity).toEqual(record.fidelity)
    expect(record.fidelity?.status).toBe('kept')
  })
})
