import { describe, expect, it } from 'vitest'
import { differingEpoch, type PairStoryInput, pairStory } from '../../../src/reports/story/pair-story.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../../analysis/records.ts'

const trial = (method: string, epoch: number, more: Partial<TrialRecord> = {}) =>
  aRecord({
    task: 's/t',
    method,
    epoch,
    trial: `${method}${epoch}${'0'.repeat(12)}`,
    delivered: 'same',
    ...more,
  })
const both = (epoch: number, a: Partial<TrialRecord> = {}, b: Partial<TrialRecord> = {}) => ({
  ...{ epoch, a: trial('one', epoch, a), b: trial('two', epoch, b) },
})
const story = (more: Partial<PairStoryInput>) =>
  pairStory({
    ...{ run: 'results/r', task: 's/t', names: ['one', 'two'], epochs: [both(1)] },
    handedInOf: ({ method }) => ({
      answer: method === 'one' ? 'x\nAnswer: 4\n' : 'x\nAnswer: 5\n',
      files: [],
    }),
    ...more,
  })

describe('the epoch that is shown of two methods', () => {
  it.each([
    [
      'in which one passed',
      [both(1, { delivered: 'x' }), both(2, { passed: true }, { passed: false })],
      2,
      /passed/,
    ],
    ['in which the scores differ', [both(1), both(2, { score: 0.5 }, { score: 1 })], 2, /scores/],
    ['in which they handed in something else', [both(1), both(2, { delivered: 'x' })], 2, /handed in/],
    ['that is the first, if none differs', [both(1), both(2)], 1, /the first; the two/],
    ['that both ended', [{ epoch: 1, a: trial('one', 1), b: undefined }, both(2)], 2, /the first/],
  ])('is the first %s', (_, epochs, epoch, why) => {
    const shown = differingEpoch(epochs)
    expect(shown?.pair.epoch).toBe(epoch)
    expect(shown?.why).toMatch(why)
  })

  it('is none if no epoch ended under both', () => {
    expect(differingEpoch([{ epoch: 1, a: trial('one', 1), b: undefined }])).toBeUndefined()
    expect(story({ epochs: [{ epoch: 1, a: trial('one', 1), b: undefined }] })).toContain(
      'No epoch of this task has ended under both one and two.',
    )
    expect(story({ epochs: [] })).toContain('No trial of this task has ended under the two methods.')
  })
})

describe('one task under two methods', () => {
  it('shows each trial on a line, and of one epoch the verdicts, the answers and their diff with signs', () => {
    const text = story({
      title: 'A sum',
      epochs: [
        both(1),
        both(
          2,
          { passed: true, scores: [{ name: 'answer', value: 1, reason: '4 is right' }] },
          { passed: false, scores: [{ name: 'answer', value: 0, reason: '5 is not the answer' }] },
        ),
      ],
    })
    expect(text).toMatch(/^Task s\/t: A sum\n/)
    expect(text.match(/^ +\d {2}(one|two) /gm)).toHaveLength(4)
    expect(text).toContain('Epoch 2, the first in which one passed and the other did not')
    expect(text).toMatch(/one: passed\n +\| answer 1\.00 {2}4 is right\n {2}two: not passed/)
    expect(text).toMatch(/- one {3}\+ two\n +x\n +- Answer: 4\n +\+ Answer: 5\n/)
    expect(text).toContain('bench show results/r one200000000')
  })

  it('shows files by path: who changed them, what differs, and what is the same', () => {
    const file = (path: string, before: string | null, after: string | null) => ({ path, before, after })
    const text = story({
      handedInOf: ({ method }) => ({
        answer: null,
        files:
          method === 'one'
            ? [file('a.js', 'a\nb\nc\n', 'a\nX\nc\n'), file('same.js', null, 's\n')]
            : [
                file('a.js', 'a\nb\nc\n', 'a\nY\nc\n'),
                file('new.js', null, 'n\n'),
                file('same.js', null, 's\n'),
              ],
      }),
    })
    expect(text).toMatch(/ {2}a\.js\n +a\n +- X\n +\+ Y\n +c\n/)
    expect(text).toContain('same.js: the same in both')
    expect(text).toMatch(/new\.js, changed by two alone: one has no such file\n +\+ n/)
  })

  it('says what cannot be shown', () => {
    expect(story({ handedInOf: () => ({ answer: null, files: undefined }) })).toContain(
      'does not tell which files',
    )
    expect(story({ handedInOf: () => ({ answer: null, files: [] }) })).toContain('both handed in nothing')
    expect(story({ handedInOf: () => ({ answer: undefined, files: [] }) })).toContain(
      'the text is not stored',
    )
    expect(story({ handedInOf: () => ({ answer: 'x', files: [] }) })).toContain('Answer, the same of both')
  })
})
