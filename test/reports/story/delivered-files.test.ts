import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from '../../../src/reports/story/excerpt.ts'
import { deliveredFiles, filePairs, handedIn } from '../../../src/reports/story/handed-in.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import type { Change } from '../../../src/schema/method/change.ts'
import { digest } from '../../../src/text/canonical-json.ts'
import { anAsk } from '../figures/figure-samples.ts'

const change = (path: string, before: string | null, after: string | null): Change => ({
  ...{ path, mode: '100644', before, after },
})
const asked = (key: string, at: number, ...changes: Change[]): AskStep =>
  anAsk({ key, at, changeSet: { source: 'reply', changes } })
const delivered = (files: Record<string, string | null>) => ({ delivered: digest(files) })

describe('the files that a trial handed in', () => {
  it.each<[string, AskStep[], Record<string, string | null>]>([
    ['of one step', [asked('#0', 0, change('a', 'a0', 'a1'))], { a: 'a1' }],
    [
      'of steps after each other',
      [
        asked('#0', 0, change('a', 'a0', 'a1')),
        asked('#1', 1, change('a', 'a1', 'a2'), change('b', null, 'b1')),
      ],
      { a: 'a2', b: 'b1' },
    ],
    [
      'of the branch that was taken',
      [asked('x#0', 0, change('a', 'a0', 'a1')), asked('y#0', 0, change('a', 'a0', 'a2'))],
      { a: 'a2' },
    ],
    [
      'of a branch that the root went on with',
      [
        asked('x#0', 0, change('a', 'a0', 'a1')),
        asked('y#0', 0, change('a', 'a0', 'a2')),
        asked('#1', 9, change('b', 'b0', null)),
      ],
      { a: 'a1', b: null },
    ],
    [
      'without a change that was taken back',
      [
        asked('#0', 0, change('a', 'a0', 'a1'), change('b', 'b0', 'b1')),
        asked('#1', 1, change('a', 'a1', 'a0')),
      ],
      { b: 'b1' },
    ],
  ])('are found by their digest: %s', (_, steps, files) => {
    const found = deliveredFiles(delivered(files), steps)
    expect(Object.fromEntries(found?.map(({ path, after }) => [path, after]) ?? [])).toEqual(files)
  })

  it('are none without a delivery, and unknown where no order of the steps gives the digest', () => {
    expect(deliveredFiles({ delivered: null }, [asked('#0', 0, change('a', 'a0', 'a1'))])).toEqual([])
    const joined = [asked('x#0', 0, change('a', 'a0', 'a1')), asked('y#0', 0, change('a', 'a0', 'a2'))]
    expect(deliveredFiles(delivered({ a: 'both' }), joined)).toBeUndefined()
  })

  it('are compared with the text of the beginning where one trial did not change them', () => {
    const texts = new Map([
      ['a0', 'start'],
      ['a1', 'one'],
    ])
    const contentOf = (hash: string) => texts.get(hash)
    const a = handedIn({ ...delivered({ a: 'a1' }) }, [asked('#0', 0, change('a', 'a0', 'a1'))], contentOf)
    const b = handedIn({ ...delivered({ b: 'b1' }) }, [asked('#0', 0, change('b', null, 'b1'))], contentOf)
    expect(filePairs(a, b)).toEqual([
      { path: 'a', a: 'one', b: 'start', changedBy: 'a' },
      { path: 'b', a: null, b: undefined, changedBy: 'b' },
    ])
  })
})

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
