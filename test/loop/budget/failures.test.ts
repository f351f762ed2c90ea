import { describe, expect, it } from 'vitest'
import { failureRule, failures } from '../../../src/loop/budget/failures.ts'
import { AgentError, type AgentErrorReason } from '../../../src/text/errors.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const error = (reason: AgentErrorReason) => ({ error: { reason, message: 'injected' } })

/** Asks twice: the first reply is correct, the second ask fails. */
const unguarded = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  await ask('judge', 'two')
  return { stopReason: 'done' }
})

const guarded = strategyOf(async ({ ask }) => {
  const answer = await ask('solver', 'one')
  try {
    await ask('judge', 'two')
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    return { stopReason: 'stuck', detail: error.reason, answer }
  }
  return { stopReason: 'done' }
})

const failing = (reason: AgentErrorReason) =>
  agentOf(({ role }) => (role === 'judge' ? error(reason) : 'Answer: 42'))

// A copy, so that a change of the table in the source fails a test.
const lines = [
  ['quota', 'error', 'asked again'],
  ['server', 'error', 'asked again'],
  ['network', 'error', 'asked again'],
  ['exit', 'error', 'asked again once'],
  ['unasked', 'error', 'asked again once'],
  ['missing', 'error', 'never asked again'],
  ['key', 'error', 'never asked again'],
  ['not-found', 'error', 'never asked again'],
  ['timeout', 'limited', 'never asked again'],
  ['request', 'failed', 'never asked again'],
  ['context-overflow', 'failed', 'never asked again'],
  ['refusal', 'failed', 'never asked again'],
  ['empty', 'failed', 'asked again once'],
  ['tools', 'failed', 'never asked again'],
  ['unparsable', 'failed', 'never asked again'],
  ['limit', 'failed', 'never asked again'],
] as const

describe('a failed ask', () => {
  it('has one rule for each reason', () => {
    expect(Object.keys(failures).sort()).toEqual(lines.map(([reason]) => reason).sort())
  })

  it.each(lines)(
    'for the reason %s gives an unhandled trial the outcome %s, and is %s',
    async (reason, status, again) => {
      const most = { 'asked again': 4, 'asked again once': 2, 'never asked again': 1 }[again]
      const { record, steps } = await playTrial({
        agent: { ...failing(reason), virtualTime: true },
        strategy: unguarded,
        retries: 3,
      })
      expect(record.outcome.status).toBe(status)
      expect(record.outcome.reason).toContain(reason)
      expect(steps.filter((step) => step.kind === 'ask' && step.role === 'judge')).toHaveLength(most)
      expect(record.spent.calls).toBe(1 + most)
      // The files that were left are graded, unless infrastructure failed.
      expect(record.passed).toBe(status === 'error' ? null : true)
      expect(record.scores).toHaveLength(status === 'error' ? 0 : 1)
    },
  )

  const handled = lines.filter(([reason]) => reason !== 'missing')
  it.each(handled)('for the reason %s, if handled, lets the trial continue and be graded', async (reason) => {
    const { record } = await playTrial({ agent: failing(reason), strategy: guarded })
    expect(record).toMatchObject({
      outcome: { status: 'completed' },
      claimed: 'stuck',
      detail: reason,
      passed: true,
    })
  })

  it('for lack of a recorded reply is an error whatever the method makes of it', async () => {
    const { record } = await playTrial({ agent: failing('missing'), strategy: guarded })
    expect(record).toMatchObject({ outcome: { status: 'error' }, passed: null })
    expect(record.outcome.reason).toMatch(/^missing: /)
  })

  it('that leaves no files fails the trial, and its spending counts', async () => {
    const refusing = agentOf(() => error('refusal'))
    const { record } = await playTrial({ agent: refusing, strategy: unguarded })
    expect(record).toMatchObject({
      outcome: { status: 'failed' },
      delivered: null,
      passed: false,
      score: 0,
      spent: { calls: 1, input: 100, output: 10, costUsd: 0.01 },
    })
  })

  it('ends the trial in error after one retry if an adapter reports an unknown reason', async () => {
    const { record } = await playTrial({
      agent: agentOf(() => error('sunspots' as AgentErrorReason)),
      strategy: unguarded,
      retries: 3,
    })
    expect(record).toMatchObject({ outcome: { status: 'error' }, passed: null, spent: { calls: 2 } })
    expect(record.outcome.reason).toMatch(/unknown error reason "sunspots" \(known: quota, /)
    expect(failureRule('toString').unhandled).toBe('error')
  })
})

it('a trial that is limited or failed is graded, and a trial that is cancelled or whose grading broke is not', async () => {
  const agent = agentOf(() => 'Answer: 42')
  const limited = await playTrial({ agent, strategy: unguarded, limits: { calls: 1 } })
  expect(limited.record).toMatchObject({ outcome: { status: 'limited' }, passed: true })

  const breaking = strategyOf(async ({ ask }) => {
    await ask('solver', 'one')
    throw new Error('a fault of the method')
  })
  const failed = await playTrial({ agent, strategy: breaking })
  expect(failed.record).toMatchObject({ outcome: { status: 'failed' }, passed: true })

  const asking = strategyOf(async ({ ask, approve }) => {
    await ask('solver', 'one')
    const { decision } = await approve('Go on?')
    return { stopReason: decision === 'approved' ? 'done' : 'halted' }
  })
  const cancelled = await playTrial({ agent, strategy: asking, approvals: { policy: { policy: 'abort' } } })
  expect(cancelled.record).toMatchObject({ outcome: { status: 'cancelled' }, passed: null, scores: [] })

  const task = { ...answerTask(), hidden: { tests: {}, solution: { answer: 'no number' } } }
  const broken = await playTrial({ agent, strategy: unguarded, task })
  expect(broken.record).toMatchObject({ outcome: { status: 'error' }, passed: null, scores: [] })
})
