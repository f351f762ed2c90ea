import { expect, it } from 'vitest'
import { readRecords } from '../../../src/loop/record/records.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { workOff } from '../../helpers/runs/session.ts'
import { agentOf, strategyOf } from '../../helpers/runs/trial.ts'

const savingMs = 300

it('the wall time of a trial excludes the time to write the trial before it', async () => {
  const folder = tempFolder()
  const agent = agentOf(() => 'Answer: 42')
  const strategy = strategyOf(async ({ ask }) => {
    await ask('solver', 'one')
    return { stopReason: 'done' }
  })
  const save = () => {
    const until = performance.now() + savingMs
    while (performance.now() < until);
  }
  await workOff({ folder, mode: 'dev', agent, strategy, epochs: 3 }, { parallel: 1, onFinished: save })
  const times = [...readRecords(folder)].map(({ wall }) => ({ at: Date.parse(wall.startedAt), ms: wall.ms }))
  expect(times).toHaveLength(3)
  for (const { ms } of times) expect(ms).toBeLessThan(savingMs)
  for (const [place, { at }] of times.slice(1).entries())
    expect(at - (times[place]?.at ?? 0)).toBeGreaterThanOrEqual(savingMs - 5)
})
