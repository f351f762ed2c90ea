import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { checkSchedule } from '../../../src/loop/replay/compare-traces.ts'
import { GraphEvent, graphEventTypes } from '../../../src/schema/ledger/graph-event.ts'
import {
  agentThatTakes,
  agentThatWaits,
  asking,
  graphStrategy,
  type TextStep,
  times,
  troubledSteps,
  troubledUpTo,
} from '../../helpers/graph/graphs.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

/** The events of a trial with one graph. */
const traceOf = (folder: string) => [...readGraphTraces(folder, () => true).values()][0]?.[0]?.events ?? []
const linesOf = (folder: string) =>
  readFileSync(join(folder, 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const short = (event: GraphEvent) => `${event.type} ${event.step} ${event.at}`

const diamond = (more: Partial<TextStep> = {}) => [
  asking('a', []),
  asking('b', ['a'], more),
  asking('c', ['a']),
  asking('d', ['b', 'c']),
]
const played = async (steps: TextStep[], concurrency = 4) => {
  const { folder } = await playTrial({
    agent: agentThatTakes((id) => (id === 'b' ? 2000 : 1000)),
    strategy: graphStrategy(steps, { concurrency }),
  })
  return traceOf(folder)
}

describe('the trace of a graph', () => {
  it('says what the scheduler decided, and what came of each step', async () => {
    const events = await played(diamond(), 1)
    expect(events.map(short)).toEqual([
      'SchedulerDecision a 0',
      'StepStart a 0',
      'StepEnd a 1000',
      'SchedulerDecision b 1000',
      'StepStart b 1000',
      'StepEnd b 3000',
      'SchedulerDecision c 3000',
      'StepStart c 3000',
      'StepEnd c 4000',
      'SchedulerDecision d 4000',
      'StepStart d 4000',
      'StepEnd d 5000',
    ])
    expect(events[3]).toMatchObject({
      ready: ['b', 'c'],
      readyCount: 2,
      running: 1,
      concurrency: 1,
      slotFree: 1000,
    })
    expect(events[10]).toMatchObject({ after: ['b', 'c'] })
  })

  it('says which steps are skipped, and because of which', async () => {
    const failing: TextStep['run'] = async (context) => {
      await context.ask('solver', 'do b', { timeoutMs: 1, limits: { calls: 1 } })
      await context.ask('solver', 'do b')
      return context.ask('solver', 'again', { limits: { calls: 0 } })
    }
    const events = await played([...diamond({ run: failing, onFailure: 'skip' }), asking('e', ['d'])])
    const fail = events.find(({ type }) => type === 'StepFail')
    expect(fail).toMatchObject({ step: 'b', reaction: 'skip', error: expect.stringContaining('solver') })
    expect(
      events.flatMap((event) => (event.type === 'StepSkip' ? [`${event.step} ${event.because}`] : [])),
    ).toEqual(['d b', 'e d'])
  })

  it('marks the beginning of a pattern, its turns and its join', async () => {
    const part = (turn?: number, joins?: true) => ({
      part: [{ pattern: 'talk', kind: 'debate', ...(turn && { turn }), ...(joins && { joins }) }],
    })
    const events = await played([
      asking('p::talk::x::r1', [], part(1)),
      asking('p::talk::y::r1', [], part(1)),
      asking('p::talk::x::r2', ['p::talk::x::r1', 'p::talk::y::r1'], part(2)),
      asking('p::talk::judge', ['p::talk::x::r2', 'p::talk::y::r1'], part(undefined, true)),
    ])
    const marks = events.filter(({ type }) => type.startsWith('Pattern'))
    expect(marks.map(({ type, step }) => `${type} ${step}`)).toEqual([
      'PatternStart p::talk::x::r1',
      'PatternTurn p::talk::x::r1',
      'PatternTurn p::talk::x::r2',
      'PatternJoin p::talk::judge',
    ])
    expect(marks[3]).toMatchObject({ joins: ['p::talk::y::r1', 'p::talk::x::r2'], kind: 'debate' })
  })

  it('holds the steps that a step added', async () => {
    const planner = asking('plan', [], {
      expand: () => ({ steps: [asking('w1', ['plan']), asking('w2', ['w1'])], before: ['sum'] }),
    })
    const events = await played([planner, asking('sum', ['plan'])])
    expect(events.find(({ type }) => type === 'StepsAdded')).toMatchObject({
      step: 'plan',
      steps: [
        { id: 'w1', after: ['plan'] },
        { id: 'w2', after: ['w1'] },
      ],
      before: ['sum'],
    })
    expect(checkSchedule(events, { byClock: true })).toEqual([])
  })

  it.each(['dev', 'live'] as const)(
    'has the shape of its schema and keeps all rules in %s mode',
    async (mode) => {
      const law = fc.asyncProperty(
        troubledUpTo(20),
        fc.integer({ min: 1, max: 5 }),
        times,
        fc.option(fc.nat(6), { nil: undefined }),
        async (troubled, concurrency, times, calls) => {
          const timeOf = (id: string) => times[Number(id.slice(1))] ?? 0
          const { folder } = await playTrial({
            agent: mode === 'dev' ? agentThatTakes(timeOf) : agentThatWaits(timeOf),
            strategy: graphStrategy(troubledSteps(troubled), { concurrency, conflict: 'last' }),
            mode,
            limits: calls === undefined ? {} : { calls },
          })
          const lines = linesOf(folder).filter(({ type }) => graphEventTypes.has(type))
          for (const line of lines) expect(GraphEvent.parse(line)).toEqual(line)
          const events = traceOf(folder)
          expect(events).toHaveLength(lines.length)
          expect(checkSchedule(events, { byClock: mode === 'dev' })).toEqual([])
          const ends = new Set(events.flatMap(({ type, step }) => (/End|Fail|Skip/.test(type) ? [step] : [])))
          expect(ends.size).toBe(troubled.shape.length)
        },
      )
      await fc.assert(law, { numRuns: mode === 'dev' ? 40 : 15 })
    },
  )
})

/** Changes the first event of a type for a step. */
const change = (events: GraphEvent[], type: GraphEvent['type'], step: string, fields: object) => {
  const at = events.findIndex((event) => event.type === type && event.step === step)
  return events.with(at, { ...(events[at] as GraphEvent), ...fields } as GraphEvent)
}
const without = (events: GraphEvent[], type: GraphEvent['type'], step: string) =>
  events.filter((event) => !(event.type === type && event.step === step))

describe('checkSchedule()', () => {
  it.each<[string, (events: GraphEvent[]) => GraphEvent[], string]>([
    [
      'a start before its dependency ended',
      (all) => without(all, 'StepEnd', 'a'),
      'step "b" began before "a", which it depends on, had ended',
    ],
    [
      'a start at a time before its dependency',
      (all) => change(all, 'StepStart', 'd', { at: 5 }),
      'step "d" began at 5 ms; "b", which it depends on, ended at 3000 ms',
    ],
    [
      'more steps than may run',
      (all) => all.map((one) => (one.type === 'SchedulerDecision' ? { ...one, concurrency: 1 } : one)),
      'step "c" began as number 2; at most 1 may run',
    ],
    [
      'a wrong count of running steps',
      (all) => change(all, 'SchedulerDecision', 'c', { running: 1 }),
      'step "c" began as number 1, but 1 others run',
    ],
    [
      'a larger id before a smaller one',
      (all) => [...all.slice(0, 3), ...all.slice(5, 7), ...all.slice(3, 5), ...all.slice(7)],
      'step "c" began before "b", which was ready, too, and has the smaller id',
    ],
    [
      'a slot that was not free',
      (all) => change(all, 'SchedulerDecision', 'd', { slotFree: 1 }),
      'step "d" took a slot free since 1 ms, not the first one (2000 ms)',
    ],
    [
      'a start without a decision',
      (all) => without(all, 'SchedulerDecision', 'c'),
      'step "c" began without a decision of the scheduler',
    ],
    [
      'an end in another order than the clock',
      (all) =>
        change(change(all, 'StepEnd', 'c', { at: 9000, durationMs: 8000 }), 'SchedulerDecision', 'd', {
          slotFree: 3000,
        }),
      'step "b" ended at 3000 ms, but after "c", which ended at 9000 ms',
    ],
    [
      'an end that its duration does not give',
      (all) => change(all, 'StepEnd', 'a', { durationMs: 5 }),
      'step "a" ended at 1000 ms, but began at 0 ms and took 5 ms',
    ],
    [
      'a join of what had not ended',
      (all) => [
        {
          ...(all[0] as GraphEvent),
          type: 'PatternJoin',
          pattern: 'p',
          kind: 'k',
          joins: ['b'],
        } as GraphEvent,
        ...all,
      ],
      'step "a" joins "b", which had not ended',
    ],
    [
      'a skipped step that began',
      (all) => [...all, { ...(all[0] as GraphEvent), type: 'StepSkip', because: 'b' } as GraphEvent],
      'step "a" was skipped, but began',
    ],
  ])('reports %s', async (_, change, problem) => {
    const events = await played(diamond(), 2)
    expect(checkSchedule(events, { byClock: true })).toEqual([])
    expect(checkSchedule(change(events), { byClock: true })).toContain(problem)
  })
})
