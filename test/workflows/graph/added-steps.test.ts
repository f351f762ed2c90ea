import { describe, expect, it } from 'vitest'
import { run, type Say } from '../../helpers/graph/run-graph-plan.ts'
import { judgeStep, planOf, planStep, workOf } from '../../helpers/runs/graph-plans.ts'

describe('a planner', () => {
  const plan = (change: object = {}, more: object = {}) =>
    planOf([
      judgeStep('p::P::plan', [], {
        parts: [{ pattern: 'P', kind: 'planner_executor' }],
        does: {
          ...{ kind: 'plan', prefix: 'p::P::execute::', max: 3, order: 'sequential' },
          ...{ executor: workOf({ prompt: 'Do your part.' }), before: ['p::P::finish'] },
          ...change,
        } as never,
        ...more,
      }),
      planStep('p::P::finish', ['p::P::plan']),
    ])
  const lists =
    (...steps: string[]): Say =>
    (id) =>
      id === 'p::P::plan' ? JSON.stringify({ steps }) : undefined

  it('adds a step for each part of its plan, which reads those before it', async () => {
    const { statuses, promptOf, graph } = await run(plan(), lists('one', 'two'))
    expect(statuses).toEqual([
      'p::P::plan done',
      'p::P::execute::01 done',
      'p::P::execute::02 done',
      'p::P::finish done',
    ])
    const second = promptOf('p::P::execute::02')
    expect(second).toContain('Do your part.\n\nYour part of the work, step 2 of 2:\ntwo')
    expect(second).toContain('## reply of plan of P, by judge\n1. one\n2. two')
    expect(second).toContain('## reply of execute 01 of P, by solver')
    expect(promptOf('p::P::finish')).toContain('## reply of execute 02 of P, by solver')
    expect(graph?.steps[2]).toMatchObject({
      needs: ['p::P::plan', 'p::P::execute::01'],
      addedBy: 'p::P::plan',
      part: 'two',
    })
  })

  it('may have its parts done side by side', async () => {
    const { graph } = await run(plan({ order: 'concurrent' }), lists('one', 'two'))
    expect(graph?.steps[2]?.needs).toEqual(['p::P::plan'])
  })

  it('gets no more steps than its maximum', async () => {
    const { statuses } = await run(plan(), lists('1', '2', '3', '4', '5'))
    expect(statuses).toHaveLength(5)
  })

  it('fails without a plan, after one repair', async () => {
    const { asks, graph } = await run(plan({}, { on_failure: 'continue' }), lists())
    expect(asks.filter(({ key }) => key === 'graph/p::P::plan#0')).toHaveLength(2)
    expect(graph?.steps.map(({ status }) => status)).toEqual(['failed', 'done'])
  })
})

describe('the record of a graph that a limit of the trial ends', () => {
  const plan = (change: object = {}) =>
    planOf(
      [
        judgeStep('p::P::plan', [], {
          parts: [{ pattern: 'P', kind: 'planner_executor' }],
          does: {
            ...{ kind: 'plan', prefix: 'p::P::execute::', max: 3, order: 'sequential' },
            ...{ executor: workOf(), before: ['p::P::finish'] },
          } as never,
        }),
        planStep('p::P::finish', ['p::P::plan']),
      ],
      change,
    )
  const say: Say = (id) => (id === 'p::P::plan' ? '{"steps":["one","two","three"]}' : undefined)

  it.each(['dev', 'live'] as const)('has the expanded plan, and replays, in %s mode', async (mode) => {
    const setting = { mode, limits: { calls: 3 } }
    const played = await run(plan(), say, setting)
    expect(played.record.outcome).toMatchObject({
      status: 'limited',
      reason: expect.stringMatching(/^calls/),
    })
    expect(played.statuses).toEqual([
      ...['p::P::plan done', 'p::P::execute::01 done', 'p::P::execute::02 done'],
      ...['p::P::execute::03 failed', 'p::P::finish skipped'],
    ])
    expect(played.graph?.steps[3]?.reason).toContain('calls')
    expect(played.record.answer).toBe('said p::P::execute::02')
    const replayed = await run(plan(), () => 'never', { ...setting, folder: played.folder, replay: true })
    expect(replayed.divergences).toEqual([])
    expect({ ...replayed.record, wall: undefined }).toEqual({ ...played.record, wall: undefined })
  })

  it('has it where no step that does the task has ended, or none began', async () => {
    const one = await run(plan(), say, { limits: { calls: 1 } })
    expect(one.record.outcome.status).toBe('limited')
    expect(one.record.claimed).toBe('halted')
    expect(one.statuses?.filter((status) => !status.endsWith('skipped'))).toEqual([
      ...['p::P::plan done', 'p::P::execute::01 failed'],
    ])
    const none = await run(plan(), say, { limits: { tokens: 0 } })
    expect(none.record.outcome.status).toBe('limited')
    expect(none.statuses).toEqual(['p::P::plan failed', 'p::P::finish skipped'])
  })

  it('takes the reply of the named step only if that is before the refused one', async () => {
    const limits = { calls: 2 }
    expect((await run(plan({ answer: 'p::P::finish' }), say, { limits })).record.answer).toBe(
      'said p::P::execute::01',
    )
    const first = planOf([planStep('a'), planStep('b', ['a']), planStep('c', ['b'])], { answer: 'a' })
    expect((await run(first, undefined, { limits })).record.answer).toBe('said a')
  })
})

describe('a boss', () => {
  const worker = (prompt: string) => workOf({ prompt })
  const plan = (rounds: number) =>
    planOf(
      [
        judgeStep('p::H::boss::r1', [], {
          parts: [{ pattern: 'H', kind: 'hierarchical', turn: 1 }],
          does: {
            ...{ kind: 'assign', prefix: 'p::H::', round: 1, rounds, max: 2 },
            boss: { ...workOf({ agent: 'judge', role: 'judge', work: 'judge' }), prompt: 'lead' },
            workers: { anna: worker('Write.'), bert: worker('Test.') },
            before: ['p::H::finish'],
          },
        }),
        planStep('p::H::finish', ['p::H::boss::r1']),
      ],
      { conflict: 'last' },
    )
  const gives =
    (...rounds: [worker: string, task: string][][]): Say =>
    (id) => {
      const round = Number(/boss::r(\d)/.exec(id)?.[1])
      const tasks = (rounds[round - 1] ?? []).map(([worker, text]) => ({ worker, do: text }))
      return round ? JSON.stringify({ tasks }) : undefined
    }

  it('gives tasks in rounds, and reads what its workers did', async () => {
    const { statuses, promptOf } = await run(
      plan(2),
      gives(
        [
          ['anna', 'a poem'],
          ['bert', 'a test'],
        ],
        [['anna', 'a rhyme']],
      ),
    )
    expect(statuses).toEqual([
      ...['p::H::boss::r1 done', 'p::H::anna::r1_1 done', 'p::H::bert::r1_2 done'],
      ...['p::H::boss::r2 done', 'p::H::anna::r2_1 done', 'p::H::finish done'],
    ])
    expect(promptOf('p::H::boss::r1')).toContain('## workers\n```\nanna: Write.\nbert: Test.\n```')
    expect(promptOf('p::H::bert::r1_2')).toContain('Test.\n\nYour task:\na test')
    expect(promptOf('p::H::boss::r2')).toContain('## reply of bert round 1 task 2 of H, by solver')
    expect(promptOf('p::H::finish')).toContain('## reply of anna round 2 task 1 of H, by solver')
  })

  it('ends the rounds when it gives no task', async () => {
    const { statuses } = await run(plan(5), gives([['anna', 'a poem']], []))
    expect(statuses).toEqual([
      ...['p::H::boss::r1 done', 'p::H::anna::r1_1 done', 'p::H::boss::r2 done', 'p::H::finish done'],
    ])
  })

  it('is asked once more when it names a worker that does not exist', async () => {
    const { asks, record } = await run(plan(1), gives([['carl', 'a poem']]))
    const boss = asks.filter(({ role }) => role === 'judge')
    expect(boss.map(({ repair }) => repair ?? false)).toEqual([false, true])
    expect(record.outcome.status).toBe('failed')
  })
})
