import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/base/random.ts'
import { anonymise, candidatesContext, type Work } from '../../src/workflows/vote.ts'

const workOf = (name: string, diff = ''): Work & { name: string } => ({
  name,
  reply: `Answer: ${name}`,
  workspace: { diff: () => diff } as Work['workspace'],
  checks: { status: 'failed', passed: 1, total: 2, output: 'two failed' },
})
const works = ['ann', 'ben', 'cleo'].map((name) => workOf(name))
const seeded = (seed: string) => (label: string) => seededRandom(`${seed}/${label}`)()

describe('anonymised works', () => {
  it('have letters in an order that the seed decides', () => {
    const order = (seed: string) => anonymise(works, seeded(seed)).map(({ work }) => work.name)
    expect(anonymise(works, seeded('1')).map(({ letter }) => letter)).toEqual(['A', 'B', 'C'])
    expect(order('1')).toEqual(order('1'))
    expect(order('1').toSorted()).toEqual(['ann', 'ben', 'cleo'])
    expect(new Set(['1', '2', '3', '4', '5', '6'].map((seed) => order(seed).join())).size).toBeGreaterThan(1)
  })

  it('must have all that a judge sees', () => {
    const { workspace } = workOf('ann')
    const given = [{ value: 'reply', workspace }] as never
    expect(() => anonymise(given, seeded('1'))).toThrow('one has no `reply`')
  })

  it('show a judge changes, reply and visible checks by letter, without what is empty', () => {
    const shown = candidatesContext([
      { letter: 'A', work: workOf('ann', '--- a.txt') },
      { letter: 'B', work: workOf('ben') },
    ])
    const checks = '### visible checks\nfailed: 1 of 2 passed\ntwo failed'
    expect(shown).toEqual({
      'candidate A': `### changes\n--- a.txt\n\n### reply\nAnswer: ann\n\n${checks}`,
      'candidate B': `### reply\nAnswer: ben\n\n${checks}`,
    })
  })
})
