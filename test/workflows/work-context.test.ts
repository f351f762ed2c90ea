import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../src/text/token-estimate.ts'
import { checkContext, filesContext, replyContext, sections } from '../../src/workflows/work-context.ts'

describe('what judges see of the work', () => {
  it('says how many visible checks passed and what failed', () => {
    expect(
      checkContext({ status: 'failed', passed: 1, total: 3, output: 'test two: 1 is not 2\n' }),
    ).toMatchSnapshot()
    expect(checkContext({ status: 'none', passed: 0, total: 0, output: '' })).toMatchSnapshot()
  })

  it('contains the whole reply when no file changed, else only its end with the answer', () => {
    const reply = `${'thought\n'.repeat(1000)}Answer: 42`
    expect(replyContext(reply, { diff: () => '' })).toBe(reply)
    const end = replyContext(reply, { diff: () => '--- a' })
    expect(end.length).toBeLessThanOrEqual(1200)
    expect(end.endsWith('Answer: 42')).toBe(true)
  })

  it('leaves out sections without text', () => {
    expect(sections({ contract: 'R1', changes: '', reply: 'done' })).toBe(
      '### contract\nR1\n\n### reply\ndone',
    )
  })
})

const workspace = (files: Record<string, string>) => ({
  list: () => Object.keys(files),
  read: (path: string) => files[path],
})

describe('the files in a prompt', () => {
  it('are empty without files', () => {
    expect(filesContext(workspace({}))).toBe('')
  })

  it('have path and whole content, sorted by path', () => {
    expect(filesContext(workspace({ 'src/b.mjs': 'b\n', 'a.md': 'a' }))).toMatchSnapshot()
  })

  it('are in a fence that is longer than those inside them', () => {
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
