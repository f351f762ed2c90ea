import { expect, it } from 'vitest'
import { type AgentsAsMethod, compareModels } from '../../../src/analysis/compare/mixes.ts'

const row = (kind: AgentsAsMethod | undefined, ...models: string[]) => ({
  kind,
  assignment: Object.fromEntries(models.map((model, at) => [`role-${at}`, model])),
})
const kindOf = (...pair: Parameters<typeof compareModels>) => {
  const { confounded, mixes } = compareModels(...pair)
  return mixes ? 'mixes' : confounded ? 'confounded' : 'same'
}

it.each([
  ['a mix and one of its agents alone', row('mix', 'a', 'b'), row('alone', 'b'), 'mixes'],
  ['a mix and another agent alone', row('mix', 'a', 'b'), row('alone', 'c'), 'mixes'],
  ['two mixes', row('mix', 'a', 'b'), row('mix', 'c', 'd'), 'mixes'],
  ['two agents alone', row('alone', 'a'), row('alone', 'b'), 'mixes'],
  ['a mix and a method that asks a model of it', row('mix', 'a', 'b'), row(undefined, 'b'), 'mixes'],
  ['a mix and a method that asks other models', row('mix', 'a', 'b'), row(undefined, 'c'), 'confounded'],
  ['a mix and a vote of one other model', row('mix', 'a', 'b'), row('mix', 'c', 'c'), 'confounded'],
  ['a vote of one model and another model alone', row('mix', 'a', 'a'), row('alone', 'b'), 'confounded'],
  ['other methods', row(undefined, 'a'), row(undefined, 'b'), 'confounded'],
  ['an agent alone and a method with another model', row('alone', 'a'), row(undefined, 'b'), 'confounded'],
  ['equal models', row('mix', 'a', 'a'), row('alone', 'a'), 'same'],
])('%s: %j and %j are %s', (_, a, b, expected) => {
  expect(kindOf(a, b)).toBe(expected)
  expect(kindOf(b, a)).toBe(expected)
})
