import { expect, it } from 'vitest'
import { agentOf, playTrial } from '../../helpers/runs/trial.ts'
import { chainOf, programOf } from '../../helpers/runs/stages.ts'

const agent = agentOf(({ role }) => (role === 'planner' ? 'the plan' : 'FILE: built.txt\n```\nby an agent\n```'))

it('a stage asks, changes files, runs checks and writes its state', async () => {
  const played = await playTrial({ agent, strategy: chainOf(['plan', programOf('plan.mjs')]) })
  console.log(JSON.stringify(played.record, null, 1), JSON.stringify(played.steps, null, 1))
  expect(played.record.outcome.status).toBe('completed')
  const replayed = await playTrial({ agent, strategy: chainOf(['plan', programOf('plan.mjs')]), folder: played.folder, replay: true })
  expect(replayed.divergences).toEqual([])
})
