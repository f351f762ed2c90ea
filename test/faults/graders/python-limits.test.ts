import { expect, it } from 'vitest'
import { judgeTwice } from '../../graders/harness/python/judge-twice.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'

needs('python3').describe('a Python solution that answers without an end', () => {
  it.each(tableOf<[string, string, string][]>(import.meta.url, 'endsAt'))(
    'ends at a limit or fails: %s',
    async (_, source, lines) => {
      const reason = await judgeTwice(source, lines, { timeoutMs: 1500 })
      expect(reason).toMatch(
        /^0 of 1 tests passed\. (still running after the limit of 1500 ms|check\(twice\): (MemoryError|OverflowError))/,
      )
    },
  )

  it('fails when the items of its iterators are more than 128 MB', async () => {
    const source = "def twice(x):\n    while True: yield 'x' * 20_000_000\n"
    expect(await judgeTwice(source, 'kept = list(candidate(2))', { timeoutMs: 60_000 })).toBe(
      '0 of 1 tests passed. the solution\'s process sent more items of iterators than 128 MB hold, in the test "check(twice)"',
    )
  })
})
