import { expect, it } from 'vitest'
import { judgeTwice } from '../../graders/harness/python/judge-twice.ts'
import { needs } from '../../helpers/house/needs.ts'

needs('python3').describe('a Python solution that answers without an end', () => {
  it.each([
    [
      'an iterator without an end',
      'import itertools\ndef twice(x): return itertools.repeat(x)',
      'sum(candidate(2))',
    ],
    [
      'an iterator of iterators',
      'def twice(x):\n    while True: yield twice(x)',
      'list(map(next, candidate(2)))',
    ],
    [
      'keys with one hash',
      'def twice(x): return dict.fromkeys((2**61 - 1) * n for n in range(100_000))',
      'assert candidate(2) == 4',
    ],
    [
      'a number that is too long to convert',
      `from decimal import Decimal\ndef twice(x): return Decimal('1e9999999999')`,
      'assert int(candidate(2)) == 4',
    ],
  ])('ends at a limit or fails: %s', async (_, source, lines) => {
    const reason = await judgeTwice(source, lines, { timeoutMs: 1500 })
    expect(reason).toMatch(
      /^0 of 1 tests passed\. (still running after the limit of 1500 ms|check\(twice\): (MemoryError|OverflowError))/,
    )
  })

  it('fails when the items of its iterators are more than 128 MB', async () => {
    const source = "def twice(x):\n    while True: yield 'x' * 20_000_000\n"
    expect(await judgeTwice(source, 'kept = list(candidate(2))', { timeoutMs: 60_000 })).toBe(
      '0 of 1 tests passed. the solution\'s process sent more items of iterators than 128 MB hold, in the test "check(twice)"',
    )
  })
})
