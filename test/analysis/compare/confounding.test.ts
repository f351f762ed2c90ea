import { describe, expect, it } from 'vitest'
import { findConfounding } from '../../../src/analysis/compare/confounding.ts'
import { compare, onlyPair, solves } from './compared.ts'

describe('two methods are confounded with the model', () => {
  it('where one of them asks a model that the other does not', () => {
    expect(findConfounding({ solver: 'x' }, { solver: 'x', auditor: 'y' })).toEqual({
      a: ['x'],
      b: ['x', 'y'],
    })
  })

  it('where the same models answer for other roles', () => {
    expect(findConfounding({ solver: 'x', auditor: 'y' }, { solver: 'y', auditor: 'x' })).toEqual({
      a: ['y as auditor', 'x as solver'],
      b: ['x as auditor', 'y as solver'],
    })
  })

  it('and not where the same models answer for roles that the other has not', () => {
    expect(findConfounding({ solver: 'x' }, { generator: 'x', auditor: 'x' })).toBeNull()
    expect(findConfounding({ solver: 'x', auditor: 'y' }, { auditor: 'y', refiner: 'x' })).toBeNull()
  })

  it('and not where nobody knows what answered', () => {
    expect(findConfounding(undefined, { solver: 'x' })).toBeNull()
  })
})

const records = [...solves('m', 9, 10), ...solves('n', 2, 10)]

it('a pair says so beside its numbers, which stay', () => {
  const assignments = { m: { solver: 'x' }, n: { solver: 'y' } }
  const plain = onlyPair(compare(records, { assignments: { m: { solver: 'x' }, n: { solver: 'x' } } }))
  expect(plain.confounded).toBeNull()
  expect(onlyPair(compare(records, { assignments }))).toEqual({
    ...plain,
    confounded: { a: ['x'], b: ['y'] },
  })
})

it('one method with two sets of agents compares the agents, which is no confounding', () => {
  const sets = ['A', 'B'].flatMap((agentSet) => solves('m', 5, 10, { agentSet, agents: agentSet }))
  const assignments = { 'm@A': { solver: 'x' }, 'm@B': { solver: 'y' } }
  expect(onlyPair(compare(sets, { assignments })).confounded).toBeNull()
})
