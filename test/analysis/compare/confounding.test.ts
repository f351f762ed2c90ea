import { describe, expect, it } from 'vitest'
import { findConfounding } from '../../../src/analysis/compare/hands.ts'
import { compare, onlyPair, solves } from './compared.ts'

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
