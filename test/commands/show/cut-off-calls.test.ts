import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cutOffText } from '../../../src/commands/show/show-run.ts'
import { ownLockText } from '../../../src/loop/record/lock.ts'
import { billText } from '../../../src/reports/words/bill-text.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const call = { trial: 't', attempt: 1, hash: 'h' }
const intent = (key: string, attempt = 1) => ({ ...call, key, attempt, kind: 'intent', agent: 'openai:m' })
const ask = (key: string) => ({
  ...{ ...call, key, payer: 'method', at: 0, durationMs: 1, kind: 'ask', role: 'solver', work: 'produce' },
  ...{ agent: 'openai:m', simulated: false, prompt: '', reply: '', costUsd: 0, waitMs: 0 },
  tokens: { input: 1, output: 1, cached: 0 },
})

/** Returns a run folder with these lines in its ledger. */
function folderOf(...lines: object[]): string {
  const folder = tempFolder()
  writeFileSync(join(folder, 'steps.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return folder
}

it.each<[string, object[], string | undefined]>([
  ['every call has a result', [intent('#0'), ask('#0'), ask('#1')], undefined],
  [
    'one has none',
    [intent('#0'), ask('#0'), intent('#1')],
    '1 call was cut off and has no result; it may have been paid',
  ],
  [
    'two have none',
    [intent('#0'), intent('#1'), ask('#1'), intent('#1', 2)],
    '2 calls were cut off and have no result; they may have been paid',
  ],
])('a run names calls that were cut off: %s', (_, lines, text) => {
  expect(cutOffText(folderOf(...lines))).toBe(text)
})

it('calls of a run that is running are under way', () => {
  const folder = folderOf(intent('#0'))
  writeFileSync(join(folder, 'lock'), ownLockText(0))
  expect(cutOffText(folder)).toBeUndefined()
})

const spent = {
  input: 90,
  output: 10,
  cached: 0,
  costUsd: 0.5,
  calls: 3,
  checks: 0,
  unreportedTokens: 0,
  unreportedCost: 0,
}

it.each([
  [{}, '  methods: 3 calls, 100 tokens, $0.500'],
  [
    { unreportedTokens: 1, unreportedCost: 1 },
    '  methods: 3 calls, >= 100 tokens, >= $0.500, 1 call not reported',
  ],
  [
    { input: 0, output: 0, costUsd: null, unreportedTokens: 3, unreportedCost: 3 },
    '  methods: 3 calls, unknown tokens, cost unknown, 3 calls not reported',
  ],
])('a bill with unknown parts is a lower bound, or unknown: %o', (change, line) => {
  expect(billText({ method: { ...spent, ...change } }, 'more')).toBe(`Bill of the run\n${line}\n  more\n`)
})
