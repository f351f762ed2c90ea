import { describe, expect, it } from 'vitest'
import { playTrial } from '../../../helpers/runs/trial.ts'
import { assertResumesFrom, plainRecord, randomTrial } from '../../../helpers/tools/random-calls.ts'

describe('a trial with calls of tools', () => {
  it('replays 100 times to the same record, and asks and calls nothing', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const { record, folder } = await playTrial(randomTrial(seed))
      expect(record.outcome.status).toBe('completed')
      expect(record.tools?.calls).toBeGreaterThan(0)
      for (let time = 1; time <= 25; time++) {
        const trial = randomTrial(seed)
        const { toolFiles: _, ...rest } = trial
        const again = await playTrial({ ...rest, folder, replay: true })
        expect(again.divergences).toEqual([])
        expect(plainRecord(again.record)).toBe(plainRecord(record))
        expect(trial.agent.requests).toEqual([])
      }
    }
  })

  it('goes on from cuts of its ledger without asking a finished turn again, to the same record', async () => {
    // Each cut of several trials is in test/nightly.
    await assertResumesFrom(1, (cut) => cut % 11 === 0)
  })
})
