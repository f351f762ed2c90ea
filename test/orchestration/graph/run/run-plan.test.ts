import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { AgentReply, AgentRequest } from '../../../../src/agents/agent.ts'
import { filesOf } from '../../../../src/loop/files/workspace.ts'
import { GraphRecord } from '../../../../src/schema/graph/graph-record.ts'
import type { GraphPlan } from '../../../../src/schema/graph/plan.ts'
import { judgeStep, planOf, planStep, runsPlan, workOf } from '../../../helpers/runs/graph-plans.ts'
import { agentOf, answerTask, playTrial } from '../../../helpers/runs/trial.ts'

type Reply = Partial<AgentReply> | string
type Say = (id: string, request: AgentRequest) => Reply | undefined

const stepIdOf = ({ trial }: AgentRequest) => /^graph\/(.*?)(?:\/[^/]*)?#/.exec(trial.key)?.[1] ?? ''
const refusal: Reply = { error: { reason: 'refusal', message: 'no' } }
const file = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\n\`\`\`\nAnswer: ${text}`

/** Runs a plan with an agent that answers by the id of the step. */
async function run(plan: GraphPlan, say: Say = () => undefined, more: object = {}) {
  const requests: { id: string; request: AgentRequest }[] = []
  const agent = agentOf((request) => {
    const id = stepIdOf(request)
    requests.push({ id, request })
    return say(id, request) ?? `said ${id}`
  })
  const played = await playTrial({ agent, strategy: runsPlan(plan), ...more })
  const { record, steps } = played
  const graph = record.state?.graph === undefined ? undefined : GraphRecord.parse(record.state.graph)
  return {
    ...played,
    requests,
    asks: steps.flatMap((step) => (step.kind === 'ask' ? [step] : [])),
    promptOf: (id: string) => requests.find((one) => one.id === id)?.request.prompt ?? '',
    graph,
    statuses: graph?.steps.map(({ id, status }) => `${id} ${status}`),
  }
}

describe('a step of a graph', () => {
  it('reads the task, the replies of the steps that it needs, and the files', async () => {
    const plan = planOf([planStep('a'), planStep('b'), judgeStep('c', ['a'])])
    const { promptOf, record } = await run(plan, undefined, { task: answerTask({}, { 'a.txt': 'A' }) })
    expect(promptOf('a')).toMatch(/^# Task\nWhat is six times seven/)
    expect(promptOf('a')).not.toContain('## task')
    expect(promptOf('c')).toMatch(/^do c\n\n## task\n# Task\nWhat is six times seven/)
    expect(promptOf('c')).toContain('## reply of a, by solver\nsaid a')
    expect(promptOf('c')).not.toContain('said b')
    expect(promptOf('c')).toContain('## files\nFILE: a.txt')
    expect(record).toMatchObject({ claimed: 'done', detail: 'all 3 steps of main are through' })
  })

  it('reads the input of the document in place of the task', async () => {
    const plan = planOf([planStep('a'), judgeStep('b', ['a'])], { input: 'The words of the document.' })
    const { promptOf } = await run(plan)
    expect(promptOf('a')).toContain('## input\nThe words of the document.')
    expect(promptOf('b')).toContain('## input\nThe words of the document.')
    expect(promptOf('b')).not.toContain('six times seven')
  })

  it('asks with the instructions, the time and the length that the document states', async () => {
    const change = { instructions: 'You are brief.', timeout_ms: 1234, max_output: 55 }
    const { requests } = await run(planOf([planStep('a', [], change)]))
    expect(requests[0]?.request).toMatchObject({ system: 'You are brief.', maxOutput: 55 })
    expect(requests[0]?.request.timeoutMs).toBeLessThanOrEqual(1234)
  })

  it('is asked again after a failure, as often as it may be, and each ask is in the ledger', async () => {
    const failing = (times: number) => {
      let asked = 0
      return () => (asked++ < times ? refusal : 'Answer: 42')
    }
    const plan = planOf([planStep('a', [], { retries: 2 })])
    const second = await run(plan, failing(2))
    expect(second.asks.map(({ key, error }) => [key, error?.reason])).toEqual([
      ['graph/a#0', 'refusal'],
      ['graph/a#1', 'refusal'],
      ['graph/a#2', undefined],
    ])
    expect(second.record).toMatchObject({ claimed: 'done', passed: true })
    const third = await run(plan, failing(3))
    expect(third.asks).toHaveLength(3)
    expect(third.record.outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^refusal/),
    })
  })

  it('may take no longer in each attempt than the document says', async () => {
    let asked = 0
    const slow = agentOf(async () => {
      if (asked++ === 0) await setTimeout(2000)
      return 'Answer: 42'
    })
    const plan = planOf([planStep('a', [], { timeout_ms: 100, retries: 1 })])
    const { record, steps } = await playTrial({ agent: slow, strategy: runsPlan(plan) })
    const reasons = steps.flatMap((step) => (step.kind === 'ask' ? [step.error?.reason] : []))
    expect(reasons).toEqual(['timeout', undefined])
    expect(record).toMatchObject({ claimed: 'done', passed: true })
  })

  it('is not asked again after a limit of the trial', async () => {
    const plan = planOf([planStep('a'), planStep('b', ['a'], { retries: 5 })])
    const { asks, record } = await run(plan, undefined, { limits: { calls: 1 } })
    expect(asks).toHaveLength(1)
    expect(record.outcome).toMatchObject({ status: 'limited' })
  })

  it('in a later round of a debate is told the round, and reads the one before', async () => {
    const turn = (turn: number) => [{ pattern: 'debate', kind: 'debate' as const, turn }]
    const of = (name: string, round: number, needs: string[] = []) =>
      judgeStep(`p::debate::${name}::r${round}`, needs, { parts: turn(round) })
    const first = ['anna', 'bert'].map((name) => of(name, 1))
    const plan = planOf([
      ...first,
      of(
        'anna',
        2,
        first.map(({ id }) => id),
      ),
      planStep('end', ['p::debate::anna::r2']),
    ])
    const { promptOf } = await run(plan)
    expect(promptOf('p::debate::anna::r1')).not.toContain('round')
    const second = promptOf('p::debate::anna::r2')
    expect(second).toContain('This is round 2 of a debate.')
    expect(second).toContain('## reply of anna round 1 of debate, by judge\nsaid p::debate::anna::r1')
    expect(second).toContain('## reply of bert round 1 of debate, by judge')
  })
})

describe('a failed step', () => {
  const diamond = (change: object) => [
    planStep('a'),
    judgeStep('b', ['a'], { on_failure: 'continue', ...change }),
    judgeStep('c', ['a']),
    planStep('d', ['b', 'c']),
    planStep('e', ['a']),
  ]
  const fails: Say = (id) => (id === 'b' ? refusal : undefined)

  it('with continue is never mentioned, and the method says what it went on without', async () => {
    const { promptOf, record, statuses } = await run(planOf(diamond({})), fails)
    expect(promptOf('d')).toContain('reply of c')
    expect(promptOf('d')).not.toContain('reply of b')
    expect(statuses).toEqual(['a done', 'b failed', 'c done', 'd done', 'e done'])
    expect(record).toMatchObject({ outcome: { status: 'completed' }, claimed: 'halted' })
    expect(record.detail).toMatch(/^went on without b: /)
    expect(record.answer).toBe('said e')
  })

  it('with skip skips what needs it alone', async () => {
    const { record, statuses } = await run(planOf(diamond({ on_failure: 'skip' })), fails)
    expect(statuses).toEqual(['a done', 'b failed', 'c done', 'd skipped', 'e done'])
    expect(record).toMatchObject({ claimed: 'halted', answer: 'said e' })
  })

  it('with fail ends the graph, and what is handed in is of the steps before it in plan order', async () => {
    const { record, statuses, graph } = await run(planOf(diamond({ on_failure: 'fail' })), (id) =>
      id === 'b' ? { ...(refusal as object), durationMs: 5000 } : undefined,
    )
    expect(statuses).toEqual(['a done', 'b failed', 'c done', 'd skipped', 'e done'])
    expect(graph?.steps[1]?.reason).toContain('no')
    expect(record).toMatchObject({ outcome: { status: 'completed' }, claimed: 'halted', answer: 'said a' })
    expect(record.detail).toMatch(/^step b failed: /)
  })

  it('decides the outcome of the trial where no step that does the task has ended', async () => {
    const down: Reply = { error: { reason: 'server', message: 'down' } }
    const { record } = await run(planOf([judgeStep('a', []), planStep('b', ['a'])]), () => down)
    expect(record.outcome.status).toBe('error')
  })

  it('whose files cannot be joined is named', async () => {
    const plan = planOf([planStep('a'), planStep('b'), planStep('c', ['a', 'b'])])
    const task = answerTask({ output: 'files', editable: ['**'] }, { 'x.txt': 'X' })
    const { record } = await run(plan, (id) => file('x.txt', id), { task })
    expect(record.claimed).toBe('halted')
    expect(record.detail).toContain('both changed x.txt')
  })
})

describe('steps in conflict at the end of a graph', () => {
  it('end it with what is before the later of them', async () => {
    const plan = planOf([planStep('a'), planStep('b')])
    const task = answerTask({ output: 'files', editable: ['**'] }, { 'x.txt': 'X' })
    const { record, branch } = await run(plan, (id) => file('x.txt', `by ${id}`), { task })
    expect(record).toMatchObject({ outcome: { status: 'completed' }, claimed: 'halted' })
    expect(record.detail).toMatch(/^a step failed: .*"a" and "b" both changed x\.txt/)
    expect(filesOf(branch.state)['x.txt']).toBe('by a\n')
  })
})

describe('the answer of a graph', () => {
  const steps = [planStep('a'), planStep('b', ['a']), judgeStep('c', ['b'])]

  it('is the reply of the step that the plan names', async () => {
    expect((await run(planOf(steps, { answer: 'a' }))).record.answer).toBe('said a')
    expect((await run(planOf(steps, { answer: 'c' }))).record.answer).toBe('said c')
  })

  it('is otherwise what the last step in plan order said that does the task', async () => {
    expect((await run(planOf(steps))).record.answer).toBe('said b')
  })

  it('is of the steps before the failed one where the named step is behind it', async () => {
    const plan = planOf([planStep('a'), planStep('b', ['a']), planStep('c')], { answer: 'c' })
    const { record } = await run(plan, (id) => (id === 'b' ? refusal : undefined))
    expect(record.answer).toBe('said a')
  })
})

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
    expect(promptOf('p::H::boss::r1')).toContain('## workers\nanna: Write.\nbert: Test.')
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

describe('a referee', () => {
  const plan = (change: object = {}, seed = 0) =>
    planOf(
      [
        planStep('p::R::anna::work', [], change),
        planStep('p::R::bert::work', [], change),
        judgeStep('p::R::referee', ['p::R::anna::work', 'p::R::bert::work'], {
          conflict: 'last',
          does: {
            kind: 'choose',
            candidates: { anna: 'p::R::anna::work', bert: 'p::R::bert::work' },
          },
        }),
      ],
      { seed },
    )
  const task = answerTask({ output: 'files', editable: ['**'] }, { 'x.txt': 'X\n' })
  const letters = (prompt: string) => /## candidate A[\s\S]*?by (anna|bert)/.exec(prompt)?.[1]
  const say =
    (wanted: string): Say =>
    (id, { prompt }) => {
      const by = /p::R::(anna|bert)/.exec(id)?.[1]
      if (by) return file('x.txt', `by ${by}`)
      return JSON.stringify({ winner: letters(prompt) === wanted ? 'A' : 'B', reason: 'It is better.' })
    }

  it.each(['anna', 'bert'])(
    'takes over the files and the reply of the candidate that it names: %s',
    async (wanted) => {
      const { record, graph, promptOf, branch } = await run(plan(), say(wanted), { task })
      expect(record).toMatchObject({ claimed: 'done' })
      expect(filesOf(branch.state)['x.txt']).toContain(`by ${wanted}`)
      expect(branch.state.answer).toContain(`Answer: by ${wanted}`)
      expect(graph?.choices['p::R::referee']).toMatchObject({ winner: wanted, reason: 'It is better.' })
      const prompt = promptOf('p::R::referee')
      expect(prompt).toContain('## candidate A')
      expect(prompt).not.toContain('reply of')
      expect(prompt).not.toContain('## files')
    },
  )

  it('reads the candidates in an order that the seed decides', async () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 8; seed++) {
      const { graph } = await run(plan({}, seed), say('anna'), { task })
      orders.add(graph?.choices['p::R::referee']?.order.join() ?? '')
    }
    expect(orders).toEqual(new Set(['anna,bert', 'bert,anna']))
  })

  it('is not asked where one candidate alone has ended', async () => {
    const bertFails: Say = (id, request) => (id.includes('bert') ? refusal : say('bert')(id, request))
    const { asks, graph, branch } = await run(plan({ on_failure: 'continue' }), bertFails, { task })
    expect(asks.map(({ role }) => role)).toEqual(['solver', 'solver'])
    expect(graph?.choices['p::R::referee']?.winner).toBe('anna')
    expect(filesOf(branch.state)['x.txt']).toContain('by anna')
  })
})

describe('a referee of candidates that plan their work at run time', () => {
  it('takes over the files of all parts of the winner', async () => {
    const planner = (name: string) =>
      judgeStep(`p::R.${name}::plan`, [], {
        does: {
          ...{ kind: 'plan', prefix: `p::R.${name}::execute::`, max: 3, order: 'concurrent' },
          ...{ executor: workOf({ prompt: 'Do your part.' }), before: ['p::R::referee'] },
        },
      })
    const plan = planOf([
      planner('anna'),
      planner('bert'),
      judgeStep('p::R::referee', ['p::R.anna::plan', 'p::R.bert::plan'], {
        conflict: 'last',
        does: { kind: 'choose', candidates: { anna: 'p::R.anna::plan', bert: 'p::R.bert::plan' } },
      }),
    ])
    const task = answerTask({ output: 'files', editable: ['**'] }, { 'x.txt': 'X\n', 'y.txt': 'Y\n' })
    const { branch, record } = await run(
      plan,
      (id, { prompt }) => {
        const [, name = '', place] = /p::R\.(\w+)::execute::0(\d)/.exec(id) ?? []
        if (place) return file(place === '1' ? 'x.txt' : 'y.txt', `by ${name}`)
        if (id.endsWith('plan')) return JSON.stringify({ steps: ['one', 'two'] })
        const isFirst = /## candidate A[\s\S]*?by (anna|bert)/.exec(prompt)?.[1] === 'anna'
        return JSON.stringify({ winner: isFirst ? 'A' : 'B', reason: '' })
      },
      { task },
    )
    expect(record.claimed, record.detail ?? '').toBe('done')
    expect(filesOf(branch.state)).toMatchObject({ 'x.txt': 'by anna\n', 'y.txt': 'by anna\n' })
  })
})
