import { expect, it } from 'vitest'
import { styledParts } from '../../../src/commands/terminal/print-report.ts'

const text = `2 methods on 8 tasks

                 success
self-consistency    69.2
next                15.4

Who    self-consistency passes most
Warn   few tasks

self-consistency is named again
`

it('the row of the leader and the names of sentences are bold, warnings are yellow, all else is as it was', () => {
  const parts = styledParts(text, 'self-consistency')
  expect(parts.map(([part]) => part).join('')).toBe(text)
  expect(parts.filter(([, style]) => style)).toEqual([
    ['self-consistency    69.2', 'bold'],
    ['Who', 'bold'],
    ['Warn', 'yellow'],
  ])
})

it('no row is bold where no method leads, or where one only begins alike', () => {
  expect(styledParts(text, null).filter(([, style]) => style)).toHaveLength(2)
  expect(styledParts(text, 'self').filter(([, style]) => style)).toHaveLength(2)
})
