import { describe, it } from 'vitest'
import { assertResumesFrom } from '../helpers/tools/random-calls.ts'

describe('a trial with calls of tools', () => {
  it.each([1, 2, 3])('goes on from each cut of its ledger (seed %i)', async (seed) => {
    await assertResumesFrom(seed, () => true)
  })
})
