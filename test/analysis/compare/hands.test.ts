import { describe, expect, it } from 'vitest'
import { findToolDifference, type Hands } from '../../../src/analysis/compare/hands.ts'
import { compare, onlyPair, solves } from './compared.ts'

const hands = (names: string[], method = 'm', keys = names): Hands => ({
  ...{ names, programs: [], method },
  works:
    names.length > 0
      ? [{ work: 'produce', sets: [names.map((title, i) => ({ title, key: keys[i] ?? title }))] }]
      : [],
})
const program = { ...hands([]), programs: [{ title: 'own tools of x', key: 'x' }] }

describe('a pair whose rows have different tools', () => {
  it('is confounded with the tools if its methods or agents differ, too', () => {
    expect(findToolDifference(hands(['read', 'list'], 'm'), hands([], 'n'))).toEqual({
      ...{
        a: 'read, list',
        b: 'none',
        text: 'the first has read, list; the second has none',
        kind: 'confounded',
      },
    })
  })

  it('compares the tools if nothing else differs', () => {
    expect(findToolDifference(hands(['memory']), program)).toEqual({
      ...{
        a: 'memory',
        b: 'own tools of x',
        text: 'the first has memory; the second has own tools of x',
        kind: 'compared',
      },
    })
  })

  it('says where tools of one name have different content', () => {
    expect(findToolDifference(hands(['calc'], 'm', ['1']), hands(['calc'], 'n', ['2']))).toEqual({
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
  expect(findToolDifference(hands(['read'], 'm'), hands(['read'], 'n'))).toBeUndefined()
  expect(findToolDifference(undefined, hands([]))).toBeUndefined()
  expect(findToolDifference(hands([]), undefined)).toBeUndefined()
})

const records = [...solves('m', 9, 10), ...solves('n', 2, 10)]

it('a pair with different tools says so and keeps its numbers, and one with equal tools has no field for it', () => {
  const equal = onlyPair(compare(records, { hands: { m: hands([]), n: hands([], 'n') } }))
  expect(equal).not.toHaveProperty('tools')
  const differs = compare(records, { hands: { m: hands([]), n: hands(['read'], 'n') } })
  expect(onlyPair(differs)).toEqual({
    ...equal,
    tools: { a: 'none', b: 'read', text: 'the first has none; the second has read', kind: 'confounded' },
  })
})

it('one method with two sets of agents is confounded with the tools that only one of the agents has', () => {
  const sets = ['A', 'B'].flatMap((agentSet) => solves('m', 5, 10, { agentSet, agents: agentSet }))
  const pair = compare(sets, { hands: { 'm@A': hands([], 'a'), 'm@B': { ...program, method: 'b' } } })
  expect(onlyPair(pair)).toMatchObject({ confounded: null, tools: { kind: 'confounded' } })
})
