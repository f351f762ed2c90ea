import { describe, expect, it } from 'vitest'
import { createErrorFlow } from '../../../src/analysis/coordination/error-flow.ts'
import type { Candidate, TrialRecord } from '../../../src/schema/ledger/record.ts'
import { record } from '../../helpers/runs/run-files.ts'

const made = (key: string, at: number, delivered: string, from?: string): Candidate => ({
  key,
  role: 'solver',
  at,
  ...(from !== undefined && { from }),
  delivered,
  passed: delivered === 'right',
  score: delivered === 'right' ? 1 : 0,
})

const flowOf = (candidates: Candidate[], delivered: string, deliveredFrom?: string) => {
  const flow = createErrorFlow(['m'])
  const changes: Partial<TrialRecord> = {
    method: 'm',
    candidates,
    passed: delivered === 'right',
    deliveredFrom,
    delivered,
  }
  flow.add({ ...record('a'), ...changes } as TrialRecord)
  return flow.result()[0]
}

describe('error flow', () => {
  it('counts a right answer that the method lost', () => {
    expect(flowOf([made('a#0', 1, 'right'), made('b#0', 1, 'bad')], 'bad', 'b#0')).toMatchObject({
      ...{ trials: 1, candidates: 2, right: 1, withRight: 1, lost: 1, found: 0 },
      ...{ handOffs: 0, rightToWrong: 0, wrongToRight: 0 },
    })
  })

  it('counts flips from one candidate to the one made from it, and to the delivery', () => {
    const chain = [made('#0', 1, 'bad'), made('#1', 2, 'right', '#0'), made('#2', 3, 'worse', '#1')]
    expect(flowOf(chain, 'worse', '#2')).toMatchObject({
      handOffs: 2,
      wrongToRight: 1,
      rightToWrong: 1,
      lost: 1,
    })
  })

  it('counts a right delivery without a right candidate', () => {
    expect(flowOf([made('a#0', 1, 'bad')], 'right')).toMatchObject({ found: 1, lost: 0, handOffs: 0 })
  })

  it('counts as conformity when a branch against the majority adopts its candidate', () => {
    const first = [made('a#0', 1, 'x'), made('b#0', 1, 'x'), made('c#0', 1, 'right')]
    const yielded = [...first, made('c#1', 2, 'x', 'c#0')]
    expect(flowOf(yielded, 'x', 'a#0')).toMatchObject({ against: 1, conformed: 1, rightToWrong: 1 })
    const stood = [...first, made('c#1', 2, 'right', 'c#0')]
    expect(flowOf(stood, 'x', 'a#0')).toMatchObject({ against: 1, conformed: 0 })
    const noMajority = [made('a#0', 1, 'x'), made('c#0', 1, 'right'), made('c#1', 2, 'x', 'c#0')]
    expect(flowOf(noMajority, 'x', 'a#0')).toMatchObject({ against: 0 })
  })

  it('leaves out trials that were not graded, and candidates whose grading broke', () => {
    const flow = createErrorFlow(['m'])
    flow.add({ ...record('a'), passed: null, candidates: [made('#0', 1, 'right')] })
    expect(flow.result()).toEqual([])
    const broken = { ...made('#0', 1, 'x'), passed: null, score: null }
    expect(flowOf([broken], 'right', '#0')).toMatchObject({ candidates: 0, handOffs: 0 })
  })
})
