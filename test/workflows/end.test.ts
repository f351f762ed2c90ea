import { expect, it } from 'vitest'
import { endWith } from '../../src/workflows/end.ts'

it('a method that hands in nothing is halted, unless a person cancelled it', () => {
  const nothing = { delivers: () => false }
  expect(endWith(nothing, { stopReason: 'done', detail: 'all agreed' })).toMatchSnapshot()
  const cancelled = { stopReason: 'cancelled', detail: 'the editor said no' } as const
  expect(endWith(nothing, cancelled)).toEqual(cancelled)
  expect(endWith({ delivers: () => true }, { stopReason: 'stuck' })).toEqual({ stopReason: 'stuck' })
})
