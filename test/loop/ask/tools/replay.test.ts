import { describe, it } from 'vitest'
import { assertReplays, assertResumesFrom } from '../../../helpers/tools/random-calls.ts'

// Each trial is replayed 100 times, and each cut of several trials is tried, in test/heavy and test/nightly.
describe('a trial with calls of tools', () => {
  it('replays to the same record, and asks and calls nothing', async () => {
    for (let seed = 1; seed <= 4; seed++) await assertReplays(seed, 3)
  })

  it('goes on from cuts of its ledger without asking a finished turn again, to the same record', async () => {
    await assertResumesFrom(1, (cut) => cut % 11 === 0)
  })
})
