import { expect, it } from 'vitest'
import { validateResult } from '../../../src/loop/state/check-result.ts'
import type { StrategyResult } from '../../../src/strategy.ts'

it('says what a strategy may return where it returned something else', () => {
  const returned = (value: unknown) => () => validateResult(value as StrategyResult, 'draft')
  expect(returned({ stopReason: 'finished' })).toThrow(
    'it returned stopReason finished; write one of done, stuck, halted, exhausted',
  )
  expect(returned(undefined)).toThrow("it returned nothing; return { stopReason: 'done' }")
  expect(returned({ stopReason: 'done', answer: 7 })).toThrow(
    'it returned an answer that is no text (number)',
  )
  expect(returned({ stopReason: 'exhausted' })()).toEqual({ stopReason: 'exhausted' })
})

it('says which method should await what, where something that it returned is a promise', () => {
  const returned = (value: object) => () => validateResult(value as StrategyResult, 'draft')
  const answer = Promise.resolve('a')
  expect(returned({ stopReason: 'done', answer })).toThrow(
    'it returned an answer that is a promise. In draft, await it: return { answer: await ask(…), … }',
  )
  expect(returned({ stopReason: answer })).toThrow('a stopReason that is a promise')
  expect(returned({ stopReason: 'done', state: answer })).toThrow('a state that is a promise')
})
