import { describe, expect, it } from 'vitest'
import { filesContext } from '../../src/orchestration/files-context.ts'
import { estimateTokens } from '../../src/tokens.ts'

const workspace = (files: Record<string, string>) => ({
  list: () => Object.keys(files),
  read: (path: string) => files[path],
})

describe('the files in a prompt', () => {
  it('are nothing where there are none', () => {
    expect(filesContext(workspace({}))).toBe('')
  })

  it('stand with path and whole content, in order of path', () => {
    expect(filesContext(workspace({ 'src/b.mjs': 'b\n', 'a.md': 'a' }))).toBe(
      'FILE: a.md\n```\na\n```\n\nFILE: src/b.mjs\n```\nb\n```',
    )
  })

  it('stand in a fence that is longer than those in them', () => {
    expect(filesContext(workspace({ 'a.md': '````\ncode\n````\n' }))).toBe(
      'FILE: a.md\n`````\n````\ncode\n````\n`````',
    )
  })

  it('are whole or named, never cut, and never over the budget', () => {
    const big = 'x'.repeat(4000)
    const text = filesContext(workspace({ 'a.md': 'first', 'big.txt': big, 'z.md': 'last' }), 100)
    expect(text).toContain('first')
    expect(text).toContain('last')
    expect(text).not.toContain('xxx')
    expect(text).toContain('Not shown, for lack of room: big.txt (about 1000 tokens)')
    expect(estimateTokens(text)).toBeLessThanOrEqual(100)
  })
})
