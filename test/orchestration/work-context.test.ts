import { describe, expect, it } from 'vitest'
import { checkContext, replyContext, sections } from '../../src/orchestration/work-context.ts'

describe('what judges see of the work', () => {
  it('says how many visible checks passed and what failed', () => {
    expect(checkContext({ status: 'failed', passed: 1, total: 3, output: 'test two: 1 is not 2\n' })).toBe(
      'failed: 1 of 3 passed\ntest two: 1 is not 2',
    )
    expect(checkContext({ status: 'none', passed: 0, total: 0, output: '' })).toBe(
      'The task has no visible checks.',
    )
  })

  it('holds the whole reply where no file changed, else only its end with the answer', () => {
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
