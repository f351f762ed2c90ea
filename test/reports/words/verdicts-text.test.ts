import { expect, it } from 'vitest'
import { verdictsText } from '../../../src/reports/words/origin-text.ts'
import type { PastSession } from '../../../src/schema/ledger/session.ts'

const session = (digest: string | null, counts?: [taken: number, graded: number, proved: number]) =>
  ({
    verdicts: { file: '/a/folder/verdicts.jsonl.gz', digest },
    end: counts && { verdicts: { taken: counts[0], graded: counts[1], proved: counts[2] } },
  }) as unknown as PastSession
const [one, two] = ['a'.repeat(64), 'b'.repeat(64)] as const

it.each([
  [[], null],
  [[{ end: {} } as PastSession], null],
  [
    [session(one, [1370, 7, 0])],
    'Verdicts of code: 1,370 of 1,377 were taken from verdicts.jsonl.gz (SHA-256 aaaaaaaaaaaa); for 7 the code was run.',
  ],
  [
    [session(null, [0, 9, 0])],
    'Verdicts of code: 0 of 9 were taken from verdicts.jsonl.gz; for 9 the code was run.',
  ],
  [
    [session(one), session(two, [8, 2, 3])],
    'Verdicts of code: 8 of 10 were taken from verdicts.jsonl.gz (SHA-256 aaaaaaaaaaaa, then bbbbbbbbbbbb); for 2 the code was run; 3 of those taken were proved by running it again; sessions that were killed are not counted.',
  ],
])('the sessions of a run say which verdicts they took from a file (%#)', (sessions, said) => {
  expect(verdictsText(sessions)).toBe(said)
})
