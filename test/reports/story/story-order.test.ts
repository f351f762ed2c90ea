import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trialStory } from '../../../src/reports/story/story.ts'
import { orderSteps } from '../../../src/reports/story/story-order.ts'
import { stepText } from '../../../src/reports/story/story-step.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { aRecord } from '../../analysis/records.ts'
import { ask, common, keysOf } from '../../helpers/runs/story-steps.ts'

describe('the order of a story', () => {
  it('interleaves branches by their clocks, and sorts keys by their counter', () => {
    const steps = [
      ask('b#0', 10, 30),
      ask('a#0', 10, 20),
      ask('#10', 40, 5),
      ask('#0', 0, 10),
      ask('a#1', 30, 5),
      ask('#9', 40, 0),
    ]
    expect(keysOf(steps)).toEqual(['#0/1', 'a#0/1', 'b#0/1', 'a#1/1', '#9/1', '#10/1'])
  })

  it('places a `first` when it was decided, and the grade last', () => {
    const steps: Step[] = [
      { ...common, kind: 'grade', key: 'grade#0', at: 30, scores: [], passed: null },
      { ...common, kind: 'limit', scope: 'trial', key: 'x#1', at: 30, limit: 'calls', reason: '' },
      ask('x#0', 0, 30),
      { ...common, kind: 'first', key: '#0', at: 0, durationMs: 30, winner: 'x' },
    ]
    expect(keysOf(steps)).toEqual(['x#0/1', 'x#1/1', '#0/1', 'grade#0/1'])
  })

  it('places a stage behind its asks, and shows how it ended, what it printed and what it left', () => {
    const stage: Step = {
      ...{ ...common, kind: 'stage', key: '#0', at: 30, durationMs: 5, stage: 'plan' },
      ...{
        command: ['node', '{stage}/plan.mjs'],
        programs: 'p',
        files: null,
        before: '{}',
        after: '{"done":1}',
      },
      ...{
        exitCode: 1,
        output: 'it failed',
        asks: 1,
        savings: [
          { tool: 'test-runner', rawTokens: 1800, compactTokens: 140 },
          { tool: 'build-checker', rawTokens: 10, compactTokens: 25 },
          { tool: 'silent', rawTokens: 0, compactTokens: 16 },
        ],
        log: [{ ask: { role: 'planner', prompt: 'the prompt' } }],
      },
    }
    const steps = [ask('plan#0', 0, 30), stage, ask('#1', 35, 5)]
    expect(keysOf(steps)).toEqual(['plan#0/1', '#0/1', '#1/1'])
    const [, { step, branch, voided } = { step: stage, branch: '', voided: false }] = orderSteps(steps)
    const text = stepText({ step, branch, voided }, {})
    for (const part of [
      'stage plan ended with exit code 1, after 1 ask(s)',
      'node {stage}/plan.mjs',
      '{"done":1}',
      'it failed',
      'tool     test-runner: output 1,800 tokens, report 140, saved 92.2% (estimated)',
      'tool     build-checker: output 10 tokens, report 25, saved -150.0% (estimated)',
      'tool     silent: output 0 tokens, report 16 (estimated)',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('the prompt')
  })

  it('marks steps that a later void names, and no step after it', () => {
    const voids: Step = {
      ...common,
      kind: 'void',
      key: '#0',
      at: 0,
      payer: 'void',
      keys: ['#0/1', '#1'],
      reason: 'r',
    }
    const steps = [ask('#0', 0, 5), ask('#1', 5, 5), voids, ask('#0', 0, 7), ask('#1', 7, 5)]
    const ordered = orderSteps(steps).map(({ step, voided }) => [step.kind, step.key, voided])
    expect(ordered).toMatchSnapshot()
    const text = trialStory({ record: aRecord(), steps })
    expect(text.match(/not on the method's bill/g)).toHaveLength(2)
    // Two asks of 120 tokens count, two do not.
    expect(text).toContain('so far 240 tokens, $0.0200')
  })

  it('contains every step once, for any file', () => {
    const key = fc
      .tuple(fc.constantFrom('', 'a', 'a/b', 'c'), fc.nat(12))
      .map(([path, counter]) => `${path}#${counter}`)
    const some = fc.array(fc.record({ key, at: fc.nat(50), durationMs: fc.nat(9) }), { maxLength: 30 })
    fc.assert(
      fc.property(some, (drawn) => {
        const steps = drawn.map(({ key, at, durationMs }) => ask(key, at, durationMs))
        const ordered = orderSteps(steps).map(({ step }) => step)
        expect(new Set(ordered)).toEqual(new Set(steps))
        expect(ordered).toHaveLength(steps.length)
      }),
    )
  })
})
