import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strategies } from '../../strategies/index.ts'
import { benchOk, recordsOf } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

const names = strategies.map(({ name }) => name)

describe('every method on every built-in task', () => {
  it('comes to a stated outcome, as it declares, and really takes its loops', async () => {
    const cwd = tempFolder()
    const methods = names.join(',')
    await benchOk(
      [
        '--tasks',
        'all',
        '--methods',
        methods,
        '--parallel',
        '2',
        '--grade-candidates',
        '--quiet',
        '--out',
        'run',
      ],
      { cwd },
    )
    const records = recordsOf(join(cwd, 'run'))
    for (const name of names) {
      const own = records.filter(({ method }) => method === name)
      expect(own.length, name).toBeGreaterThan(20)
      expect(
        own.filter(({ outcome }) => outcome.status === 'error' || outcome.status === 'cancelled'),
      ).toEqual([])
      expect(
        own.filter(({ fidelity }) => fidelity?.status !== 'kept').map(({ trial }) => trial),
        name,
      ).toEqual([])
    }
    const of = (name: string) => records.filter(({ method, passed }) => method === name && passed !== null)
    // A revision that makes wrong work right.
    for (const name of ['sequential', 'integrated', 'retry', 'collaboration'])
      expect(
        of(name).some(({ passed, candidates = [] }) => passed && candidates[0]?.passed === false),
        `${name}: a revision that changes the outcome`,
      ).toBe(true)
    // A choice against some, and one that lost what somebody had right.
    for (const name of ['consensus', 'self-consistency'])
      expect(
        of(name).some(
          ({ passed, candidates = [] }) => passed && candidates.some((one) => one.passed === false),
        ),
        `${name}: a vote that overrules`,
      ).toBe(true)
  }, 900_000)
})
