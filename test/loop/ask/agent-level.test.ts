import { expect, it } from 'vitest'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const strategy = strategyOf(async ({ ask }) => ({ answer: await ask('solver', 'go'), stopReason: 'done' }))

it.each(['none', 'partial', 'full'] as const)(
  'a record gives the sandbox level of an agent that is a program, also on replay: %s',
  async (sandbox) => {
    const agent = agentOf(() => ({ text: '42', sandbox }), { paid: true, isProgram: true })
    const { record, steps, folder } = await playTrial({ agent, strategy, mode: 'live' })
    expect(record.sandbox).toBe(sandbox)
    expect(steps.find(({ kind }) => kind === 'ask')).toMatchObject({ sandbox })
    const replayed = await playTrial({ agent, strategy, mode: 'live', folder, replay: true })
    expect(replayed).toMatchObject({ divergences: [], record: { sandbox } })
  },
)

it.each(['dev', 'live'] as const)(
  'a trial is labelled simulated by its agents in every mode: %s',
  async (mode) => {
    for (const simulated of [true, false]) {
      const agent = agentOf(() => '42', { simulated })
      const { record, steps } = await playTrial({ agent, strategy, mode })
      expect(record.simulated).toBe(simulated)
      for (const step of steps) expect(step.simulated).toBe(simulated)
    }
  },
)
