import { describe, expect, it } from 'vitest'
import { proofText } from '../../../src/commands/tasks/proof-text.ts'
import type { TaskProof } from '../../../src/loop/proof/proof-round.ts'

const proved: TaskProof = {
  task: 's/a',
  state: 'proved',
  faults: [],
  reference: { passed: [true, true], reason: '' },
  nothing: { passed: [false, false], reason: '' },
  warnings: [],
}
const textOf = (proofs: TaskProof[], width = 100) => proofText(proofs, { rounds: 2, generate: 4 }, width)

describe('the text of a proof', () => {
  it('counts one task as one, and explains the columns that it has', () => {
    expect(textOf([proved])).toContain('1 of 1 task proved. ')
    expect(textOf([proved])).toContain('Columns: no-op: handing in nothing.\n')
    const mutants = { far: { passed: [false, false], reason: '' } }
    const text = textOf([{ ...proved, mutants, generated: { tried: 1, survivors: [] } }], 300)
    expect(text).toContain('1 of 1 generated mutant fails, each tried once.')
    expect(text).toContain(
      'mutants: wrong solutions that come with the task; generated: small errors that bench makes in the reference.',
    )
  })

  it('prints what is wrong as one line, at most six lines of what the run gave, and what to do', () => {
    const details = `tests: 0 of 3 tests passed\n${Array.from({ length: 9 }, (_, i) => `+ value ${i}`).join('\n')}`
    const faults = [{ what: 'its reference fails', details, fix: 'Correct it.' }]
    expect(textOf([{ ...proved, state: 'failed', faults }])).toContain(`
FAILED  s/a: its reference fails
    tests: 0 of 3 tests passed
    + value 0
    + value 1
    + value 2
    + value 3
    + value 4
    … and 4 more lines; --json has all
  Correct it.

0 of 1 task proved, 1 failed.`)
  })

  it('says what is not proved of a task that judges grade', () => {
    const text = textOf([{ ...proved, warnings: [{ kind: 'unjudged', text: 'quality' }] }, proved], 400)
    expect(text).toMatch(/s\/a +passes +fails +proved, not judged\n/)
    expect(text).toMatch(/The proof asks no judge: .* Not tried:\n {2}s\/a: quality\n/)
    expect(text).toContain('2 of 2 tasks proved, 1 of them without judges.')
  })
})
