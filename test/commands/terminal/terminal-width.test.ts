import { afterEach, expect, it, vi } from 'vitest'
import { terminalWidth } from '../../../src/commands/terminal/terminal-width.ts'

afterEach(() => vi.unstubAllEnvs())

it.each([
  [{ columns: 60 }, '80', 60],
  [{}, '80', 80],
  [{ columns: 0 }, '80', 80],
  [{}, undefined, 100],
  [{}, 'wide', 100],
  [{}, '-5', 100],
])('the width of %j with COLUMNS=%s is %i', (stream, columns, width) => {
  vi.stubEnv('COLUMNS', columns)
  expect(terminalWidth(stream)).toBe(width)
})
