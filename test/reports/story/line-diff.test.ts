import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from '../../../src/reports/story/line-diff.ts'

describe('line differences', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })

  it('lead from the old text to the new one', () => {
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const changes = lineDiff(old.join('\n'), now.join('\n'))
        const count = (texts: readonly string[], text: string) => texts.filter((line) => line === text).length
        for (const text of ['a', 'b', 'c']) {
          const balance = changes
            .filter((change) => change.text === text)
            .reduce((sum, { sign }) => sum + (sign === '+' ? 1 : -1), 0)
          expect(count(old, text) + balance).toBe(count(now, text))
        }
      }),
    )
  })

  it('are as short as can be', () => {
    expect(lineDiff('a\nb\nc\nd\n', 'a\nc\nb\nd\n')).toHaveLength(2)
    expect(lineDiff('same\n', 'same\n')).toEqual([])
    expect(lineDiff(null, 'x\n')).toEqual([{ sign: '+', text: 'x' }])
    expect(lineDiff('x\n', null)).toEqual([{ sign: '-', text: 'x' }])
  })
})
