import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { filesOf } from '../../../src/loop/branch/workspace.ts'
import { file, type Reply, refusal, run, type Say } from '../../helpers/graph/run-graph-plan.ts'
import { judgeStep, planOf, planStep, runsPlan } from '../../helpers/runs/graph-plans.ts'
import { agentOf, answerTask, playTrial } from '../../helpers/runs/trial.ts'

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
