import { describe, expect, it } from 'vitest'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { graphTimeline } from '../../../src/reports/story/graph-timeline.ts'
import {
  agentThatTakes,
  asking,
  graphStrategy,
  type TextStep,
  troubledSteps,
} from '../../helpers/graph/graphs.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

const timelineOf = async (steps: readonly TextStep[], concurrency = 4) => {
  const { folder } = await playTrial({
    agent: agentThatTakes((id) => (id === 'b' ? 2000 : 1000)),
    strategy: graphStrategy(steps, { concurrency }),
  })
  const [trace] = [...readGraphTraces(folder, () => true).values()].flat()
  return trace ? graphTimeline(trace).split('\n') : []
}

describe('the timeline of a graph', () => {
  it('has a row for each step, with its bar, its times and how it ended', async () => {
    const [failing] = troubledSteps({
      shape: [{ id: 'c', after: ['a'] }],
      fates: ['fails'],
      reactions: ['skip'],
      files: [1],
    })
    const steps = [asking('a', []), asking('b', ['a']), failing as TextStep, asking('d', ['b', 'c'])]
    expect(await timelineOf(steps)).toMatchSnapshot()
  })

  it('stays within 100 columns for 200 steps with long ids', async () => {
    const id = (i: number) =>
      `p::a-very-long-name-of-a-pattern::branch-${i % 3}::execute::${String(i).padStart(3, '0')}`
    const steps = Array.from({ length: 200 }, (_, i) => asking(id(i), i < 5 ? [] : [id(i - 5)]))
    const lines = await timelineOf(steps)
    expect(lines).toHaveLength(201)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    expect(lines[200]).toContain('::execute::199')
  })
})
