import { expect, it } from 'vitest'
import { compare, solves } from './compared.ts'

const eight = (method: string, agents: string, solved: number) =>
  solves(method, solved, 8, { agentSet: agents, agents })
const own = [...eight('m', 'A', 6), ...eight('n', 'A', 2)]
const bounds = ['m', 'n'].flatMap((method) => [...eight(method, 'oracle', 8), ...eight(method, 'no-op', 0)])
const options = { methods: ['m', 'n'], agentSets: ['A', 'oracle', 'no-op'] }

it('a comparison leaves bounds out of family, frontier and rows, and changes no other number', () => {
  const { pairs, methods, frontiers, family } = compare([...own, ...bounds], options)
  expect(pairs.map(({ a, b }) => `${a} - ${b}`)).toEqual(['m@A - n@A'])
  expect(methods.map(({ label }) => label)).toEqual(['m@A', 'n@A'])
  expect(frontiers.tokens.points.map(({ label }) => label)).toEqual(['m@A', 'n@A'])
  const alone = compare(own, options)
  expect({ pairs, methods, frontiers, family }).toEqual({
    pairs: alone.pairs,
    methods: alone.methods,
    frontiers: alone.frontiers,
    family: alone.family,
  })
})

it('a comparison of bounds alone compares them', () => {
  const oracles = [...eight('m', 'oracle', 8), ...eight('n', 'oracle', 8)]
  expect(compare(oracles, options).pairs).toHaveLength(1)
})
