import { expect, it } from 'vitest'
import { lastLine } from './helpers/house/last-line.ts'
import { needsNote } from './helpers/house/needs.ts'

it('the last line of a test run counts passed, failed and skipped tests', () => {
  expect(lastLine({ passed: 2690, failed: 0, skipped: [] })).toBe('2,690 passed, 0 failed, 0 skipped')
})

it('the last line of a test run counts skipped tests by what they need, the most frequent first', () => {
  const skipped = [
    `a ${needsNote(['bwrap'])}`,
    `a suite ${needsNote(['python3'])} with a test`,
    `another suite ${needsNote(['python3'])} with a test`,
    `a suite ${needsNote(['bwrap'])} with a test ${needsNote(['prlimit', 'root'])}`,
    'a test that -t left out',
  ]
  expect(lastLine({ passed: 1, failed: 1204, skipped })).toBe(
    '1 passed, 1,204 failed, 5 skipped: 2 need python3, 1 for another reason, 1 needs bwrap, 1 needs bwrap and prlimit and root',
  )
})
