import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, play } from '../../src/testing.ts'
import { strategies } from '../../strategies/index.ts'
import { sequential } from '../../strategies/sequential.ts'
import {
  audit,
  begin,
  type Role,
  repeat,
  rising,
  satisfied,
  unsatisfied,
} from '../helpers/runs/sequential-lines.ts'

describe('the two loops', () => {
  it('go from contract through audits and fixes to an evaluation and the pull request', async () => {
    const { result, asks, files } = await play(
      sequential,
      {},
      [
        begin,
        ['auditor', audit(0, 'nothing is there')],
        ['code-generator', 'draft 1', { 'a.mjs': 'one' }],
        ['auditor', audit(0.5, 'handle negatives')],
        ['code-generator', 'draft 2', { 'a.mjs': 'two' }],
        ['auditor', audit(0.8)],
        ['evaluator', satisfied],
        ['pr-writer', 'Adds add().'],
      ],
      { files: { 'a.mjs': '' }, checks: ['passed'], instruction: 'Write add().' },
    )
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 2' })
    expect(result.state).toMatchObject({
      outer: 1,
      inner: 2,
      compliance: [[0, 0.5, 0.8]],
      violations: [],
      satisfied: true,
      pr: 'Adds add().',
      contract: 'R1: add()',
      limits: { maxOuter: 5, maxInner: 10 },
    })
    expect(files).toEqual({ 'a.mjs': 'two' })
    const of = (role: Role) => asks.filter((ask) => ask.role === role)
    expect(of('contract-writer')[0]?.show.task).toBe('Write add().')
    expect(of('auditor')[1]?.show).toMatchObject({ contract: 'R1: add()', task: 'Write add().' })
    expect(of('auditor')[1]?.show.files).toContain('one')
    expect(of('code-generator')[1]?.show.violations).toBe('- R1: handle negatives')
    expect(of('evaluator')[0]?.show.checks).toContain('passed: 2 of 2')
    expect(of('evaluator')[0]?.show.work).toContain('+two')
  })

  it('refine the contract after a failed evaluation, reload its summary and audit against the new one', async () => {
    const { result, asks } = await play(
      sequential,
      {},
      [
        begin,
        ['auditor', audit(0.2, 'missing')],
        ['code-generator', 'draft 1'],
        ['auditor', audit(0.9)],
        ['evaluator', unsatisfied('negatives fail')],
        ['refiner', 'R1: add()\nR2: negatives'],
        ['auditor', audit(0.5, 'R2 fails')],
        ['code-generator', 'draft 2'],
        ['auditor', audit(1)],
        ['evaluator', satisfied],
        ['pr-writer', 'Adds.'],
      ],
      { checks: ['failed', 'passed'] },
    )
    expect(result.stopReason).toBe('done')
    expect(result.state).toMatchObject({
      outer: 2,
      inner: 1,
      compliance: [
        [0.2, 0.9],
        [0.5, 1],
      ],
      satisfied: true,
    })
    const refiner = asks.find(({ role }) => role === 'refiner')
    expect(refiner?.show).toMatchObject({ contract: 'R1: add()', feedback: 'negatives fail' })
    expect(refiner?.show.checks).toContain('test two failed')
    const later = asks.slice(asks.findIndex(({ role }) => role === 'refiner') + 1)
    const contracts = later.filter(({ role }) => role === 'auditor').map(({ show }) => show.contract)
    expect(contracts).toEqual(['R1: add()\nR2: negatives', 'R1: add()\nR2: negatives'])
    expect(later.find(({ role }) => role === 'code-generator')?.show.feedback).toBe('negatives fail')
  })

  it('evaluate after the inner limit even when the contract is not kept', async () => {
    const { result } = await play(sequential, { maxInner: 3 }, [
      begin,
      ...rising(3),
      ['evaluator', satisfied],
      ['pr-writer', 'Done.'],
    ])
    expect(result).toMatchObject({ stopReason: 'done', answer: 'draft 3' })
    expect(result.state).toMatchObject({ inner: 3, compliance: [[0.01, 0.02, 0.03]] })
  })

  it('run ten times inside and five times outside, then are exhausted, without a last refinement', async () => {
    const round: Line<Role>[] = [...rising(10), ['evaluator', unsatisfied('no')]]
    const { result, asks } = await play(sequential, {}, [
      begin,
      ...repeat(4, ...round, ['refiner', 'R1: again']),
      ...round,
    ])
    expect(result).toMatchObject({
      stopReason: 'exhausted',
      detail: 'the evaluator was not satisfied in 5 rounds',
    })
    expect(result.state).toMatchObject({ outer: 5, inner: 10, satisfied: false, pr: '', feedback: 'no' })
    expect(asks.some(({ role }) => role === 'pr-writer')).toBe(false)
  })

  it('take the needed compliance from the options', async () => {
    const lines: Line<Role>[] = [
      begin,
      ['auditor', audit(0, 'all')],
      ['code-generator', 'draft'],
      ['auditor', audit(0.5)],
      ['evaluator', satisfied],
      ['pr-writer', 'Done.'],
    ]
    expect((await play(sequential, { compliance: 0.5 }, lines)).result.stopReason).toBe('done')
    await expect(play(sequential, { compliance: 0.51 }, lines)).rejects.toThrow(/code-generator/)
  })

  it('end at their limits whatever the agents say', async () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    const limit = fc.integer({ min: 1, max: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fraction),
        fc.infiniteStream(fc.boolean()),
        limit,
        limit,
        fc.boolean(),
        async (compliances, verdicts, maxOuter, maxInner, adaptive) => {
          let asked = 0
          const ask = async (role: string) => {
            asked++
            if (role === 'auditor') return audit(compliances.next().value, 'wrong')
            return role === 'evaluator' ? { satisfied: verdicts.next().value, feedback: 'no' } : 'text'
          }
          const workspace = {
            list: () => [],
            read: () => undefined,
            diff: () => '',
            check: async () => ({ status: 'none' }),
          }
          const options = sequential.options.parse({ maxOuter, maxInner, adaptive })
          const checkpoint = async (state: object) => state
          const effects = {
            ask,
            workspace,
            label: () => {},
            note: () => {},
            checkpoint,
            delivers: () => true,
          }
          const context = { instruction: 'Do.', options, ...effects }
          const result = await sequential.run(context as unknown as Parameters<typeof sequential.run>[0])
          expect(asked).toBeLessThanOrEqual(1 + maxOuter * (2 * maxInner + 2))
          expect(['done', 'stuck', 'exhausted']).toContain(result.stopReason)
        },
      ),
    )
  })
})

describe('progress detection', () => {
  it('stops after two runs without improvement of compliance, and says so', async () => {
    const { result } = await play(sequential, {}, [
      begin,
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft 1'],
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft 2'],
      ['auditor', audit(0.4, 'still wrong')],
    ])
    expect(result).toMatchObject({
      stopReason: 'stuck',
      answer: 'draft 2',
      detail: 'compliance did not improve in 2 runs: 0.5, 0.5, 0.4',
    })
    expect(result.state).toMatchObject({ satisfied: false, violations: [{ id: 'R1', text: 'still wrong' }] })
  })

  it('takes its patience from the options', async () => {
    const { result } = await play(sequential, { patience: 1 }, [
      begin,
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft 1'],
      ['auditor', audit(0.5, 'wrong')],
    ])
    expect(result.stopReason).toBe('stuck')
  })

  it('starts again with each contract', async () => {
    const flat: Line<Role>[] = [
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft'],
      ['auditor', audit(0.5, 'wrong')],
      ['code-generator', 'draft'],
    ]
    const { result } = await play(sequential, { maxInner: 2, maxOuter: 2 }, [
      begin,
      ...flat,
      ['evaluator', unsatisfied('no')],
      ['refiner', 'R1: again'],
      ...flat,
      ['evaluator', unsatisfied('no')],
    ])
    expect(result.stopReason).toBe('exhausted')
  })
})

describe('tasks that want an answer', () => {
  it('have the reply of the generator audited, evaluated and handed in', async () => {
    const { answer, asks } = await play(sequential, {}, [
      begin,
      ['auditor', audit(0, 'no answer')],
      ['code-generator', 'I think.\nAnswer: 41'],
      ['auditor', audit(0.5, 'off by one')],
      ['code-generator', 'Now.\nAnswer: 42'],
      ['auditor', audit(1)],
      ['evaluator', satisfied],
      ['pr-writer', 'It is 42.'],
    ])
    expect(answer).toBe('Now.\nAnswer: 42')
    const replies = asks.filter(({ role }) => role === 'auditor').map(({ show }) => show['last reply'])
    expect(replies).toEqual(['', 'I think.\nAnswer: 41', 'Now.\nAnswer: 42'])
    expect(asks.find(({ role }) => role === 'evaluator')?.show.work).toContain('Answer: 42')
  })
})

it('sequential labels its steps with both rounds, and after the inner loop with the outer one', async () => {
  const { notes } = await play(sequential, {}, [
    begin,
    ['auditor', audit(0, 'all')],
    ['code-generator', 'draft'],
    ['auditor', audit(1)],
    ['evaluator', satisfied],
    ['pr-writer', 'Done.'],
  ])
  expect(notes.filter(({ type }) => type === 'iteration')).toEqual([
    { type: 'iteration', outer: 1, inner: 1 },
    { type: 'iteration', outer: 1, inner: 2 },
    { type: 'iteration', outer: 1 },
  ])
})

it('sequential and integrated are found under the names of the ADC document', () => {
  const names = strategies.flatMap(({ aliases = [] }) => aliases)
  expect(names).toEqual(['adc-integrated', 'adc-sequential'])
})
