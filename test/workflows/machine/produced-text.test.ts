import { describe, expect, it } from 'vitest'
import type { Workspace } from '../../../src/strategy.ts'
import { producedText } from '../../../src/workflows/machine/run-agents.ts'

const body = Array.from({ length: 200 }, (_, i) => `export const value${i} = ${i}`).join('\n')
const taskFiles = new Map([
  ['src/a.mjs', 'export {}\n'],
  ['src/b.mjs', 'export {}\n'],
])

/** The text of an output whose author has changed the files of the task to these. */
const textOf = (reply: string, files: Record<string, string>) =>
  producedText(
    reply,
    {
      list: () => Object.keys(files),
      read: (path: string) => files[path],
      diff: () => 'changed',
    } as unknown as Workspace,
    taskFiles,
  )
const both = (a: string) => ({ 'src/a.mjs': a, 'src/b.mjs': 'export {}\n' })
const shown = `FILE: src/a.mjs\n\`\`\`\n${body}\n\`\`\``

describe('the text of an output with files', () => {
  it.each([
    ['a block under its path', `FILE: src/a.mjs\n\`\`\`js\n${body}\n\`\`\``],
    ['a block under a path in bold, after a blank line', `**FILE: src/a.mjs**\n\n~~~~\n${body}\n~~~~`],
    ['a block without a path', `\`\`\`\n${body}\n\`\`\``],
  ])('shows each file once, where the reply has %s', (_, block) => {
    const files = both(`${body}\n`)
    expect(textOf(`I count.\n\n${block}\n\nThat is all.\n`, files)).toBe(
      `I count.\n\nThat is all.\n\n${shown}`,
    )
    expect(textOf(`${block}\n`, files)).toBe(shown)
  })

  it('keeps a block that is no file, such as an example, and what only quotes a file', () => {
    const reply = 'Call it so:\n\n```js\nvalue0\n```\n\nThe text `export const a = 1` is new.'
    expect(textOf(reply, both('export const a = 1\n'))).toBe(
      `${reply}\n\nFILE: src/a.mjs\n\`\`\`\nexport const a = 1\n\`\`\``,
    )
  })

  it('is the reply alone where no file was changed', () => {
    const reply = 'FILE: src/a.mjs\n```\nexport {}\n```\n'
    expect(textOf(reply, both('export {}\n'))).toBe(reply)
  })

  it('says which files are gone', () => {
    expect(textOf('Removed.', { 'src/a.mjs': 'export {}\n' })).toBe('Removed.\n\nDELETED: src/b.mjs')
  })
})
