import { describe, expect, it } from 'vitest'
import type { TrialState } from '../../../src/loop/branch/trial-state.ts'
import type { StrategyResult } from '../../../src/strategy.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const agent = agentOf(() => '42')
const ending: StrategyResult = {
  stopReason: 'cancelled',
  answer: '42',
  detail: 'the editor said no',
  state: { machine: { state: 'approval' } },
}

describe('the stop reason `cancelled`', () => {
  it('cancels the trial after an abort that approve() returned; claim, detail and state are recorded', async () => {
    const running: TrialState[] = []
    const strategy = strategyOf(async ({ ask }) => {
      await ask('solver', 'Do it.')
      const [trialState] = running
      // As approve(question, { onAbort: 'return' }) notes it.
      if (trialState) trialState.people.aborted = 'Shall it go out?'
      return ending
    })
    const { record, steps } = await playTrial({ agent, strategy, running })
    expect(record).toMatchObject({
      outcome: { status: 'cancelled', reason: 'a person said stop' },
      claimed: 'cancelled',
      detail: 'the editor said no',
      state: { machine: { state: 'approval' } },
      ...{ passed: null, score: null, scores: [] },
    })
    expect(steps.map(({ kind }) => kind)).toEqual(['ask'])
  })

  it('is a mistake of the method where no person aborted', async () => {
    const strategy = strategyOf(async ({ ask, approve }) => {
      await ask('solver', 'Do it.')
      await approve('Shall it go out?')
      return ending
    })
    const { record } = await playTrial({ agent, strategy })
    expect(record.outcome).toMatchSnapshot()
    expect(record.claimed).toBe(null)
  })

  it('does not hide a limit that was reached before', async () => {
    const running: TrialState[] = []
    const strategy = strategyOf(async ({ ask }) => {
      const [trialState] = running
      if (trialState) trialState.people.aborted = 'Shall it go out?'
      await ask('solver', 'Do it.')
      await ask('solver', 'Again.').catch(() => {})
      return ending
    })
    const { record } = await playTrial({ agent, strategy, running, limits: { calls: 1 } })
    expect(record.outcome.status).toBe('limited')
  })
})
