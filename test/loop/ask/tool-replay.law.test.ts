import { describe, it } from 'vitest'
import { level } from '../../helpers/house/level.ts'
import { assertReplays, assertResumesFrom } from '../../helpers/tools/random-calls.ts'

describe('a trial with calls of tools', () => {
  it('replays to the same record, and asks and calls nothing', async () => {
    for (let seed = 1; seed <= 4; seed++) await assertReplays(seed, level(3, 100))
  })

  it('goes on from cuts of its ledger without asking a finished turn again, to the same record', async () => {
    for (const seed of level([1], [1, 2, 3])) await assertResumesFrom(seed, (cut) => cut % level(11, 1) === 0)
  })
})
