import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { type FormatName, formats } from '../../../src/reports/registry.ts'
import { createReport } from '../../../src/reports/report.ts'
import { trialStory } from '../../../src/reports/story/story.ts'
import type { WorkflowRecord } from '../../../src/schema/method/workflow-record.ts'
import { aRecord } from '../../analysis/records.ts'

const flow = (change: Partial<WorkflowRecord> = {}): WorkflowRecord => ({
  workflow: 'small',
  digest: 'd',
  stages: [
    { stage: 'making', agent: 'maker', runs: 2, ms: 3000, gave: true, met: [], unmet: ['plan'] },
    { stage: 'judging', agent: 'judge', runs: 2, ms: 1000, gave: true, met: ['making'], unmet: [] },
  ],
  iterations: 1,
  conversions: { done: 3, failed: 1 },
  unreadable: [{ stage: 'making', format: 'json', problem: 'it is not JSON' }],
  conflicts: [],
  satisfaction: 0.5,
  efficiency: 0.5,
  ...change,
})

const rendered = (format: FormatName) => {
  const summary = createSummary({ baseline: 'b' })
  summary.add(aRecord({ method: 'a', task: 's/1', state: { collaboration: flow() } }))
  const still = flow({ iterations: 0, conversions: { done: 0, failed: 0 }, satisfaction: 1, efficiency: 1 })
  summary.add(aRecord({ method: 'a', task: 's/2', state: { collaboration: still } }))
  summary.add(aRecord({ method: 'b', state: { collaboration: 'something of its own' } }))
  return formats[format].render(createReport(summary.result(), { run: 'results/r1', prices: null }))
}

it('notes sum up workflows, and ignore methods without one', () => {
  const text = rendered('markdown').replaceAll('\\', '')
  expect(text).toContain('a: 2 trials of workflows, 0.5 iterations a trial; 75.0% of conversions succeeded')
  expect(text).toContain('(1 of 4 could not be read); 75.0% of needs were met; 75.0% efficiency')
  expect(text).toContain('not met: plan in 2 trials.')
  expect(text).toContain('small/making 3.0 s in 2.0 runs; small/judging 1.0 s in 2.0 runs.')
  expect(text).not.toContain('b: 1 trial of workflows')
})

it('the sums of workflows are in JSON and in columns', () => {
  const { methods } = JSON.parse(rendered('json'))
  expect(methods.find(({ method }: { method: string }) => method === 'b').workflow).toBeNull()
  expect(methods.find(({ method }: { method: string }) => method === 'a').workflow).toMatchObject({
    conversions: { done: 3, failed: 1, rate: 0.75 },
    unmet: { plan: 2 },
    stages: [
      { stage: 'making', trials: 2, runs: 4, ms: 6000 },
      { stage: 'judging', trials: 2, runs: 4, ms: 2000 },
    ],
  })
  const head = rendered('csv').split('\n')[0]
  for (const name of ['workflow_iterations', 'conversions_read', 'needs_met', 'workflow_efficiency'])
    expect(head).toContain(name)
})

describe('the story of a trial', () => {
  const endOf = (collaboration: unknown) =>
    trialStory({ record: aRecord({ state: { collaboration } }), steps: [] })

  it('shows its workflow: each stage, conversions with failures, needs, conflicts', () => {
    expect(endOf(flow({ conflicts: ['a.mjs'] }))).toContain(
      [
        'Workflow     small, 1 iteration',
        '  stage      making, by maker: 2 runs, 3.0 s; lacked plan',
        '  stage      judging, by judge: 2 runs, 1.0 s; had making',
        '  converted  3 outputs into another format, 1 could not be read: 75.0% succeeded',
        '  unreadable making, as json: it is not JSON',
        '  conflict   a.mjs: parallel stages changed it, and the version of the later stage was kept',
        '  needs      50.0% met, over all runs of stages',
        '  efficiency 50.0%: stages with output, by runs of stages',
      ].join('\n'),
    )
  })

  it('shows that nothing was converted, needed or given, and has no such lines without a workflow', () => {
    const [making] = flow().stages
    const text = endOf(
      flow({
        stages: [{ ...making, gave: false } as WorkflowRecord['stages'][number]],
        conversions: { done: 0, failed: 0 },
        unreadable: [],
        satisfaction: null,
      }),
    )
    expect(text).toContain('making, by maker: 2 runs, 3.0 s; gave nothing; lacked plan')
    expect(text).toContain('nothing: no stage needed another format')
    expect(text).toContain('no stage had a need')
    expect(endOf({ mine: 1 })).not.toContain('Workflow')
  })
})
