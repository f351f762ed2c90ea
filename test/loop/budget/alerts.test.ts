import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

it('an alert is reported once at 50, 80 and 95 percent of a limit', async () => {
  const { folder } = await playTrial({
    agent: agentOf(() => 'Answer: 42'),
    limits: { calls: 10 },
    strategy: strategyOf(async ({ ask }) => {
      for (let i = 0; i < 10; i++) await ask('solver', `${i}`)
      return { stopReason: 'done' }
    }),
  })
  const alerts = readFileSync(join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(alerts.map(({ type, limit, percent, used }) => [type, limit, percent, used])).toEqual([
    ['alert', 'calls', 50, 5],
    ['alert', 'calls', 80, 8],
    ['alert', 'calls', 95, 10],
  ])
})
