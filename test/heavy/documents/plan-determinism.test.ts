import { describe, it } from 'vitest'
import { expectSameAtAnyTimes } from '../../helpers/graph/dynamic-graphs.ts'
import { randomDocument } from '../../helpers/graph/random-documents.ts'

describe('documents of patterns in patterns', () => {
  it('come to the same steps, prompts and files at any concurrency and any times of replies', async () => {
    await expectSameAtAnyTimes(randomDocument, { numRuns: 2 })
  })
})
