import { expect, it } from 'vitest'
import { checkedResult } from '../../src/loop/result.ts'
import type { StrategyResult } from '../../src/strategy.ts'

it('says what a strategy may return where it returned something else', () => {
  const returned = (value: unknown) => () => checkedResult(value as StrategyResult)
  expect(returned({ stopReason: 'finished' })).toThrow(
    'it returned stopReason finished; write one of done, stuck, halted, exhausted',
  )
  expect(returned(undefined)).toThrow("it returned nothing; return { stopReason: 'done' }")
  expect(returned({ stopReason: 'done', answer: 7 })).toThrow(
    'it returned an answer that is no text (number)',
  )
  expect(returned({ stopReason: 'exhausted' })()).toEqual({ stopReason: 'exhausted' })
})
