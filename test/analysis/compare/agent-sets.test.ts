import { describe, expect, it } from 'vitest'
import { pairCount } from '../../../src/analysis/compare/rows.ts'
import { findConfounding, findToolDifference, type Tools } from '../../../src/analysis/compare/tools.ts'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { compare, onlyPair, repeat, solves, trials } from './compared.ts'

const six = (method: string, agentSet: string, solved: number) =>
  solves(method, solved, 8, { agentSet, agents: agentSet })
const records = [...six('m', 'A', 8), ...six('m', 'B', 4), ...six('n', 'A', 2), ...six('n', 'B', 4)]
const options = { methods: ['m', 'n'], agentSets: ['A', 'B'] }

describe('methods with several sets of agents', () => {
  it('are compared with the same agents, and agents with the same method; no pair differs in both', () => {
    const { pairs, family } = compare(records, options)
    expect(pairs.map(({ a, b }) => `${a} - ${b}`)).toEqual([
      'm@A - m@B',
      'm@A - n@A',
      'm@B - n@B',
      'n@A - n@B',
    ])
    expect(family.size).toBe(pairCount('all-pairs', 2, 2))
  })

  it('are compared only with the baseline that has the same agents, in that family', () => {
    const { pairs } = compare(records, { ...options, family: 'baseline', baseline: 'n' })
    expect(pairs.map(({ a, b }) => `${a} - ${b}`)).toEqual(['m@A - n@A', 'm@B - n@B'])
    expect(pairs).toHaveLength(pairCount('baseline', 2, 2))
  })

  it('are separate rows in the summary, each with the baseline of its agents', () => {
    const builder = createSummary({ baseline: 'n', ...options })
    for (const record of records) builder.add(record)
    const { methods, absent } = builder.result()
    expect(absent).toEqual([])
    expect(
      methods.map(({ method, set, againstBaseline }) => [method, set, againstBaseline?.success.points]),
    ).toEqual([
      ['m', 'A', 75],
      ['m', 'B', 0],
      ['n', 'A', undefined],
      ['n', 'B', undefined],
    ])
    expect(methods[0]?.againstOthers).toEqual([])
  })

  it('are listed with their agents if they have no trial yet', () => {
    const builder = createSummary({ baseline: 'n', ...options })
    for (const record of six('m', 'B', 1)) builder.add(record)
    expect(builder.result().absent).toEqual(['m@A', 'n@A', 'n@B'])
  })
})

describe('the interaction of methods and agents', () => {
  it('is the difference of differences by task, with the limits of a paired t', () => {
    const [only, ...more] = compare(records, options).interactions
    expect(more).toEqual([])
    expect(only).toMatchObject({
      a: 'm',
      b: 'n',
      first: 'A',
      second: 'B',
      nTasks: 8,
      nDropped: 0,
      refusal: null,
    })
    // m - n is 1 on six of eight tasks with A, and 0 on all with B.
    expect(only?.estimate).toBeCloseTo(0.75, 12)
    // 0.75 -+ 2.364624 sqrt(0.75 * 0.25 / 7)
    expect(only?.lower).toBeCloseTo(0.3629975, 6)
    expect(only?.upper).toBeCloseTo(1.1370025, 6)
  })

  it('has the baseline as B, and changes its sign with the order of the agents', () => {
    const turned = compare(records, { methods: ['m', 'n'], agentSets: ['B', 'A'], baseline: 'm' })
    expect(turned.interactions).toEqual([
      expect.objectContaining({
        a: 'n',
        b: 'm',
        first: 'B',
        second: 'A',
        estimate: expect.closeTo(0.75, 12),
      }),
    ])
  })

  it('leaves out tasks without all four values, and has no limits for one task', () => {
    const some = (method: string, agentSet: string, rows: readonly string[]) =>
      trials(method, rows, { agentSet, agents: agentSet })
    const whole = repeat('10', 3)
    const { interactions } = compare(
      [
        ...some('m', 'A', whole),
        ...some('n', 'A', ['11', '--', '10']),
        ...some('m', 'B', whole),
        ...some('n', 'B', ['00', '01', '--']),
      ],
      options,
    )
    expect(interactions).toEqual([
      expect.objectContaining({
        nTasks: 1,
        nDropped: 2,
        estimate: -1,
        lower: null,
        upper: null,
        refusal: 'one-task',
      }),
    ])
  })

  it('is empty for one set of agents', () => {
    expect(compare([...solves('m', 3, 8), ...solves('n', 5, 8)]).interactions).toEqual([])
  })
})

it('a method that ran with several agents outside of sets has them in its label', () => {
  const { methods } = compare([
    ...solves('m', 3, 8, { agents: 'x' }),
    ...solves('m', 3, 8, { agents: 'y' }),
    ...solves('n', 3, 8, { agents: 'x' }),
  ])
  expect(methods.map(({ label }) => label)).toEqual(['m (x)', 'm (y)', 'n'])
})

describe('tools', () => {
  const tools = (names: string[], method = 'm', keys = names): Tools => ({
    ...{ names, programs: [], method },
    works:
      names.length > 0
        ? [{ work: 'produce', sets: [names.map((title, i) => ({ title, key: keys[i] ?? title }))] }]
        : [],
  })
  const program = { ...tools([]), programs: [{ title: 'own tools of x', key: 'x' }] }

  describe('a pair whose rows have different tools', () => {
    it('is confounded with the tools if its methods or agents differ, too', () => {
      expect(findToolDifference(tools(['read', 'list'], 'm'), tools([], 'n'))).toEqual({
        ...{
          a: 'read, list',
          b: 'none',
          text: 'the first has read, list; the second has none',
          kind: 'confounded',
        },
      })
    })

    it('compares the tools if nothing else differs', () => {
      expect(findToolDifference(tools(['memory']), program)).toEqual({
        ...{
          a: 'memory',
          b: 'own tools of x',
          text: 'the first has memory; the second has own tools of x',
          kind: 'compared',
        },
      })
    })

    it('says where tools of one name have different content', () => {
      expect(findToolDifference(tools(['calc'], 'm', ['1']), tools(['calc'], 'n', ['2']))).toEqual({
        ...{
          a: 'calc',
          b: 'calc',
          text: 'calc has other files or settings in the second than in the first',
          kind: 'confounded',
        },
      })
    })
  })

  it('a pair whose rows have equal or unknown tools has no difference', () => {
    expect(findToolDifference(tools(['read'], 'm'), tools(['read'], 'n'))).toBeUndefined()
    expect(findToolDifference(undefined, tools([]))).toBeUndefined()
    expect(findToolDifference(tools([]), undefined)).toBeUndefined()
  })

  const records = [...solves('m', 9, 10), ...solves('n', 2, 10)]

  it('a pair with different tools says so and keeps its numbers, and one with equal tools has no field for it', () => {
    const equal = onlyPair(compare(records, { tools: { m: tools([]), n: tools([], 'n') } }))
    expect(equal).not.toHaveProperty('tools')
    const differs = compare(records, { tools: { m: tools([]), n: tools(['read'], 'n') } })
    expect(onlyPair(differs)).toEqual({
      ...equal,
      tools: { a: 'none', b: 'read', text: 'the first has none; the second has read', kind: 'confounded' },
    })
  })

  it('one method with two sets of agents is confounded with the tools that only one of the agents has', () => {
    const sets = ['A', 'B'].flatMap((agentSet) => solves('m', 5, 10, { agentSet, agents: agentSet }))
    const pair = compare(sets, { tools: { 'm@A': tools([], 'a'), 'm@B': { ...program, method: 'b' } } })
    expect(onlyPair(pair)).toMatchObject({ confounded: null, tools: { kind: 'confounded' } })
  })
})

describe('confounding', () => {
  describe('two methods are confounded with the model', () => {
    it('if one of them asks a model that the other does not', () => {
      expect(findConfounding({ solver: 'x' }, { solver: 'x', auditor: 'y' })).toEqual({
        a: ['x'],
        b: ['x', 'y'],
      })
    })

    it('if a shared role has different models', () => {
      expect(findConfounding({ solver: 'x', auditor: 'y' }, { solver: 'y', auditor: 'x' })).toEqual({
        a: ['y as auditor', 'x as solver'],
        b: ['x as auditor', 'y as solver'],
      })
    })

    it('unless the same models answer for roles that only one has', () => {
      expect(findConfounding({ solver: 'x' }, { generator: 'x', auditor: 'x' })).toBeNull()
      expect(findConfounding({ solver: 'x', auditor: 'y' }, { auditor: 'y', refiner: 'x' })).toBeNull()
    })

    it('unless their models are unknown', () => {
      expect(findConfounding(undefined, { solver: 'x' })).toBeNull()
    })
  })

  const records = [...solves('m', 9, 10), ...solves('n', 2, 10)]

  it('a confounded pair is marked and keeps its numbers', () => {
    const assignments = { m: { solver: 'x' }, n: { solver: 'y' } }
    const plain = onlyPair(compare(records, { assignments: { m: { solver: 'x' }, n: { solver: 'x' } } }))
    expect(plain.confounded).toBeNull()
    expect(onlyPair(compare(records, { assignments }))).toEqual({
      ...plain,
      confounded: { a: ['x'], b: ['y'] },
    })
  })

  it('one method with two sets of agents compares the agents and is not confounded', () => {
    const sets = ['A', 'B'].flatMap((agentSet) => solves('m', 5, 10, { agentSet, agents: agentSet }))
    const assignments = { 'm@A': { solver: 'x' }, 'm@B': { solver: 'y' } }
    expect(onlyPair(compare(sets, { assignments })).confounded).toBeNull()
  })
})
