import { describe, expect, it } from 'vitest'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { collectGraphEvents, traceDifference } from '../../../src/loop/replay/compare-traces.ts'
import type { GraphEvent } from '../../../src/schema/ledger/graph-event.ts'
import { agentThatTakes, asking, graphStrategy, nobody } from '../../helpers/graph/graphs.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

/** The trace of a small graph with a pattern and an added step, as recorded and as replayed. */
async function traces() {
  const steps = [
    asking('a', [], { expand: () => ({ steps: [asking('b', ['a'])], before: ['d'] }) }),
    asking('c', []),
    asking('d', ['a', 'c'], { part: [{ pattern: 'P', kind: 'fork_join', joins: true }] }),
  ]
  const strategy = graphStrategy(steps)
  const { folder } = await playTrial({ agent: agentThatTakes(() => 10), strategy })
  const [[trace] = []] = readGraphTraces(folder, () => true).values()
  const { event, take } = collectGraphEvents()
  await playTrial({ agent: nobody, strategy, folder, replay: true, event })
  const now = take().get('graph') ?? []
  if (!trace) throw new Error('no trace')
  const of = (change: (events: GraphEvent[]) => GraphEvent[]) =>
    traceDifference({ ...trace, events: change([...trace.events]) }, now)
  return { of, length: now.length }
}

const without = (type: string) => (events: GraphEvent[]) => {
  const at = events.findIndex((event) => event.type === type)
  return events.toSpliced(at, 1)
}
const changed = (type: string, change: object) => (events: GraphEvent[]) =>
  events.map((event) => (event.type === type ? ({ ...event, ...change } as GraphEvent) : event))

describe('the trace of a graph that was recorded', () => {
  it('is the one that a replay writes', async () => {
    const { of, length } = await traces()
    expect(length).toBeGreaterThan(10)
    expect(of((events) => events)).toBeUndefined()
  })

  it('may lack its end, which a crash cut off, or all of it', async () => {
    const { of } = await traces()
    expect(of((events) => events.slice(0, -3))).toBeUndefined()
    expect(of(() => [])).toBeUndefined()
  })

  it.each<[string, (events: GraphEvent[]) => GraphEvent[], RegExp]>([
    [
      'without a join',
      without('PatternJoin'),
      /^the event graph!\d+ is missing \(PatternJoin of step "d"\)$/,
    ],
    ['without added steps', without('StepsAdded'), /is missing \(StepsAdded of step "a"\)/],
    [
      'with a join in another order',
      changed('PatternJoin', { joins: ['c', 'b', 'a'] }),
      /^step "d", PatternJoin: joins was \["c","b","a"\], now \["a","b","c"\]$/,
    ],
    ['with another pattern', changed('PatternStart', { pattern: 'Q' }), /pattern was "Q", now "P"/],
    ['with more slots', changed('SchedulerDecision', { concurrency: 9 }), /concurrency was 9, now 4/],
    ['with a field of its own', changed('StepEnd', { limit: 'calls' }), /limit was "calls", now not there/],
  ])('differs %s', async (_, change, words) => {
    const { of } = await traces()
    expect(of(change)).toMatch(words)
  })
})
