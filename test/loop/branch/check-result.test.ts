import { expect, it } from 'vitest'
import { validateResult } from '../../../src/loop/branch/check-result.ts'
import type { StrategyResult } from '../../../src/strategy.ts'

it('validateResult names what a strategy may return when it returns something else', () => {
  const returned = (value: unknown) => () => validateResult(value as StrategyResult, 'draft')
  expect(returned({ stopReason: 'finished' })).toThrow(
    'it returned the stopReason finished; expected one of done, stuck, halted, exhausted',
  )
  expect(returned(undefined)).toThrow(
    "it returned nothing; return an object such as { stopReason: 'done', answer }",
  )
  expect(returned({ stopReason: 'done', answer: 7 })).toThrow(
    'it returned an answer that is not a string but a number',
  )
  expect(returned({ stopReason: 'exhausted' })()).toEqual({ stopReason: 'exhausted' })
})

it('validateResult names the method that must await a returned promise', () => {
  const returned = (value: object) => () => validateResult(value as StrategyResult, 'draft')
  const answer = Promise.resolve('a')
  expect(returned({ stopReason: 'done', answer })).toThrow(
    'it returned an answer that is a promise. In draft, await it: return { answer: await ask(…), … }',
  )
  expect(returned({ stopReason: answer })).toThrow('a stopReason that is a promise')
  expect(returned({ stopReason: 'done', state: answer })).toThrow('a state that is a promise')
})
