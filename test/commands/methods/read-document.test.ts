import { expect, it } from 'vitest'
import { describeDocument } from '../../../src/commands/methods/documents.ts'
import type { Problem } from '../../../src/text/errors.ts'

const bomb = [
  'a: &a [x, x]',
  ...[...'bcdefghijklmnopqrstuvw'].map((name, at) => {
    const last = 'abcdefghijklmnopqrstuvw'[at]
    return `${name}: &${name} [*${last}, *${last}]`
  }),
].join('\n')

it.each([
  ['cut JSON', '{"x": [1', /knows: at 1:\d+ it is not valid YAML/],
  ['a text that nests too deep', '['.repeat(200), /knows: at 1:\d+ it nests more than 100 levels deep$/],
  ['too many aliases', bomb, /knows: at 1:1 it contains too many aliases$/],
  ['an alias of itself', 'a: &a [*a]', /knows: at 1:\d+ it .*(?:alias|itself)/],
  ['a map of other fields', 'a: 1', /knows$/],
  ['prose', '# Task: it\n- says: "no\n', /knows$/],
])('%s is refused with what is wrong', (_, text, what) => {
  const problems: Problem[] = []
  expect(describeDocument({ shown: 'd', path: 'd' }, text, problems)).toBeUndefined()
  expect(problems.map((problem) => problem.what)).toEqual([expect.stringMatching(what)])
})
