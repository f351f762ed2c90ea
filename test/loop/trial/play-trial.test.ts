import { expect, it } from 'vitest'
import { z } from 'zod'
import { createOracle } from '../../../src/agents/providers/built-in.ts'
import { AgentError, InfrastructureError } from '../../../src/text/errors.ts'
import { codeTask, sampleTask } from '../../helpers/runs/sample-task.ts'
import { agentOf, answerTask, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'

const once = strategyOf(async ({ ask }) => {
  await ask('solver', 'Solve it.')
  return { stopReason: 'done' }
})

it('a trial grades the last reply of the producing role, and writes one line per step', async () => {
  const { record, steps } = await playTrial({ agent: agentOf(() => 'Answer: 42'), strategy: once })
  expect(record).toMatchObject({
    passed: true,
    score: 1,
    claimed: 'done',
    iterations: 1,
    durationMs: 1000,
    answer: 'Answer: 42',
  })
  expect(record.spent).toMatchObject({ input: 100, output: 10, costUsd: 0.01, calls: 1 })
  expect(steps.map(({ kind, key, payer }) => [kind, key, payer])).toEqual([
    ['ask', '#0', 'method'],
    ['grade', 'grade#0', 'grading'],
  ])
})

it('only producing roles get the task and its output contract', async () => {
  const prompts: Record<string, string> = {}
  await playTrial({
    agent: agentOf(({ role, prompt }) => {
      prompts[role] = prompt
      return 'Answer: 1'
    }),
    strategy: strategyOf(async ({ ask, instruction }) => {
      await ask('solver', 'Solve it.', { show: { notes: 'be careful', nothing: '' } })
      await ask('judge', 'Is it right?')
      expect(instruction).toContain('six times seven')
      return { stopReason: 'done' }
    }),
  })
  expect(prompts.solver).toMatch(/six times seven.*Answer: <your answer>.*Solve it\..*## notes\nbe careful/s)
  expect(prompts.solver).not.toContain('## nothing')
  expect(prompts.judge).toBe('Is it right?')
})

it('an ask whose data does not parse is repaired once, and then fails the method', async () => {
  const shape = z.object({ ok: z.boolean() })
  const strategy = strategyOf(async ({ ask }) => {
    const verdict = await ask('judge', 'Well?', { shape })
    return { answer: verdict.ok ? '42' : '0', stopReason: 'done' }
  })
  const mended = await playTrial({
    strategy,
    agent: agentOf(({ repair }) => (repair ? 'Sorry: ```json\n{"ok": true}\n```' : '{"ok": ')),
  })
  expect(mended.record).toMatchObject({ passed: true, spent: { calls: 2 } })
  expect(mended.steps[1]).toMatchObject({
    key: '#0',
    attempt: 2,
    repair: true,
    prompt: expect.stringContaining('its JSON value is cut off'),
  })
  const broken = await playTrial({ strategy, agent: agentOf(() => '{"ok": "perhaps"}') })
  expect(broken.record).toMatchObject({
    outcome: { status: 'failed', reason: expect.stringContaining('unparsable') },
    passed: false,
    spent: { calls: 2 },
  })
})

it.each([
  ['refusal', 'failed'],
  ['empty', 'failed'],
  ['context-overflow', 'failed'],
  ['quota', 'error'],
  ['network', 'error'],
  ['server', 'error'],
  ['key', 'error'],
  ['timeout', 'limited'],
] as const)('an unhandled failed ask ends its trial by its cause: %s gives %s', async (reason, status) => {
  const { record } = await playTrial({
    agent: agentOf(() => ({ error: { reason, message: 'no' } })),
    strategy: once,
  })
  expect(record.outcome.status).toBe(status)
  expect(record.passed).toBe(status === 'error' ? null : false)
  expect(record.spent.calls).toBe(1)
})

it('a trial goes on when the strategy handles the failed ask', async () => {
  let asked = 0
  const { record } = await playTrial({
    agent: agentOf(() => (asked++ === 0 ? { error: { reason: 'server', message: '500' } } : 'Answer: 42')),
    strategy: strategyOf(async ({ ask }) => {
      await ask('solver', 'Solve it.').catch((error) => expect(error).toBeInstanceOf(AgentError))
      await ask('solver', 'Solve it again.')
      return { stopReason: 'done' }
    }),
  })
  expect(record).toMatchObject({
    passed: true,
    outcome: { status: 'completed' },
    spent: { calls: 2, costUsd: 0.02 },
  })
})

it('a failed reply changes no file, also on replay', async () => {
  const blocks = 'FILE: a.txt\n```\nhalf of it\n```\n'
  const setting: Setting = {
    task: sampleTask({ spec: { output: 'files', editable: ['**'] } }),
    agent: agentOf(() => ({ text: blocks, error: { reason: 'timeout', message: 'cut off' } })),
    strategy: strategyOf(async ({ ask, workspace }) => {
      await ask('solver', 'Solve it.').catch(() => {})
      return { stopReason: 'done', state: { files: workspace.list(), text: workspace.read('a.txt') ?? null } }
    }),
  }
  const first = await playTrial(setting)
  expect(first.steps[0]).toMatchObject({ reply: blocks, error: { reason: 'timeout' } })
  expect(first.steps[0]).not.toHaveProperty('changeSet')
  expect(first.record.state).toMatchObject({ text: null })
  const again = await playTrial({ ...setting, folder: first.folder, replay: true })
  expect([again.divergences, again.record.state]).toEqual([[], first.record.state])
})

it('a strategy that throws fails, a broken adapter is an error, and neither gets a score of 0', async () => {
  const thrown = await playTrial({
    agent: agentOf(() => 'x'),
    strategy: strategyOf(async () => {
      throw new Error('my bug')
    }),
  })
  expect(thrown.record.outcome).toEqual({ status: 'failed', reason: 'the method broke: my bug' })
  expect(thrown.record).toMatchObject({
    passed: false,
    scores: [{ reason: expect.stringContaining('gives no answer') }],
  })
  const broken = await playTrial({
    agent: agentOf(() => {
      throw new Error('adapter bug')
    }),
    strategy: once,
  })
  expect(broken.record).toMatchObject({ outcome: { status: 'error' }, passed: null })
  const own = await playTrial({
    agent: agentOf(() => 'x'),
    strategy: strategyOf(async () => {
      throw new InfrastructureError('disk')
    }),
  })
  expect(own.record).toMatchObject({ outcome: { status: 'error', reason: 'disk' }, passed: null })
})

it('a task with nothing to grade against runs ungraded', async () => {
  const task = { ...answerTask(), hidden: { tests: {} } }
  const { record } = await playTrial({ agent: agentOf(() => 'Answer: 42'), strategy: once, task })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, passed: null, score: null, scores: [] })
})

it('the oracle is not graded on a task without a reference', async () => {
  const task = codeTask()
  const { solution: _, ...hidden } = task.hidden
  const { record } = await playTrial({
    agent: createOracle([{ ...task, hidden }]),
    strategy: once,
    task: { ...task, hidden },
  })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, passed: null, score: null, scores: [] })
})

it('a trial ends as cancelled and ungraded when approve() is aborted', async () => {
  const strategy = strategyOf(async ({ approve }) => {
    expect((await approve('Ship it?')).decision).toBe('approved')
    return { answer: '42', stopReason: 'done' }
  })
  expect((await playTrial({ agent: agentOf(() => ''), strategy })).record).toMatchObject({ passed: true })
  expect(
    (await playTrial({ agent: agentOf(() => ''), strategy, approvals: { policy: { policy: 'abort' } } }))
      .record,
  ).toMatchObject({
    outcome: { status: 'cancelled' },
    passed: null,
  })
})

it('a secret reply is written by its hash only, and a prompt that may contain it is withheld', async () => {
  const secret = 'the reference solution: 42'
  const { record, steps } = await playTrial({
    agent: agentOf(({ role }) => (role === 'solver' ? { text: secret, secret: true } : 'fine')),
    strategy: strategyOf(async ({ ask }) => {
      const reply = await ask('solver', 'Solve it.')
      await ask('judge', `Judge this: ${reply}`)
      return { stopReason: 'done' }
    }),
  })
  expect(record.passed).toBe(true)
  expect(JSON.stringify([record, steps])).not.toContain('reference solution: 42')
  expect(steps[0]).toMatchObject({ replyHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
})
