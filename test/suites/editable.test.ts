import { expect, it } from 'vitest'
import { editableIn } from '../../src/suites/editable.ts'

it.each([
  [['src/**'], 'src/a.ts', true],
  [['src/**'], 'test/a.ts', false],
  [['**', '!test/**'], 'src/.hidden', true],
  [['**', '!test/**'], 'test/deep/a.ts', false],
  [['**', '!**/*.test.*', '!package.json'], 'src/a.test.ts', false],
  [['**', '!**/*.test.*', '!package.json'], 'package.json', false],
  [['**', '!**/*.test.*', '!package.json'], 'sub/package.json', true],
  [['!test/**'], 'src/a.ts', true],
  [['!test/**'], 'test/a.ts', false],
  [[], 'a', false],
])('with editable %j the file %s may change: %s', (editable, path, expected) => {
  expect(editableIn({ editable })(path)).toBe(expected)
})
