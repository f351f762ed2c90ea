import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'
import { askingStrategies } from '../../helpers/runs/method-variants.ts'

const names = askingStrategies.map(({ name }) => name)

describe('every method on every built-in task', () => {
  it('ends with a stated outcome, as declared, and really takes its loops', async () => {
    const cwd = tempFolder()
    const methods = names.join(',')
    await benchOk(argv`--tasks all --methods ${methods} --parallel 2 --grade-candidates --quiet --out run`, {
      cwd,
    })
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
    claimsFit(records)
    const of = (name: string) => records.filter(({ method, passed }) => method === name && passed !== null)
    // A revision that makes wrong work right.
    for (const name of ['sequential', 'integrated', 'retry', 'collaboration'])
      expect(
        of(name).some(({ passed, candidates = [] }) => passed && candidates[0]?.passed === false),
        `${name}: a revision that changes the outcome`,
      ).toBe(true)
    // A vote with dissenting workers, and one that lost a right answer.
    for (const name of ['consensus', 'self-consistency'])
      expect(
        of(name).some(
          ({ passed, candidates = [] }) => passed && candidates.some((one) => one.passed === false),
        ),
        `${name}: a vote that overrules`,
      ).toBe(true)
  }, 900_000)
})

/** The profile and seed of a run. */
type ProfileAndSeed = readonly [profile: 'default' | 'credulous.yaml', seed: string]

/** Expects that a trial with nothing delivered claims no more than that it halted. */
function claimsFit(records: readonly TrialRecord[]): void {
  const idle = records.filter(({ delivered, claimed }) => delivered === null && claimed !== null)
  expect(idle.filter(({ claimed }) => claimed !== 'halted')).toEqual([])
  const ofSequential = records.filter(({ method }) => method.startsWith('sequential'))
  expect(ofSequential.filter(({ iterations, claimed }) => iterations === 0 && claimed !== null)).toEqual([])
}

const runs: readonly ProfileAndSeed[] = [
  ['default', '1'],
  ['default', '2'],
  ['default', '3'],
  ['credulous.yaml', '1'],
  ['credulous.yaml', '2'],
]

describe('no built-in method claims to be done with nothing delivered', () => {
  /** The default profile with judges that accept whatever they see. */
  const credulous = readFileSync(join(root, 'fixtures/profiles/default.yaml'), 'utf8')
    .replace(/^id: .*$/m, 'id: credulous')
    .replace(/^verdicts: .*$/m, 'verdicts: { falseAccept: 1, falseReject: 0, noise: 0 }')
  it.each(runs)(
    'with profile %s, on all tasks, at seed %s',
    async (profile, seed) => {
      const cwd = folderOf({ 'credulous.yaml': credulous })
      const methods = [...names, 'sequential[parallel=3]'].join(',')
      const run = ['--tasks', 'all', '--methods', methods, '--profile', profile, '--seed', seed]
      await benchOk([...run, '--parallel', '2', '--quiet', '--out', 'run'], { cwd })
      const records = recordsOf(join(cwd, 'run'))
      expect(records.length).toBeGreaterThan(180)
      claimsFit(records)
      expect(await benchOk(['report', 'run'], { cwd })).not.toContain('claims done, delivered nothing')
    },
    900_000,
  )

  it('with agents that hand in nothing', async () => {
    const cwd = tempFolder()
    const run = ['--tasks', 'code,python', '--methods', names.join(','), '--agents', 'no-op']
    await benchOk([...run, '--quiet', '--out', 'run'], { cwd })
    const records = recordsOf(join(cwd, 'run'))
    expect(new Set(records.map(({ claimed }) => claimed))).toEqual(new Set(['halted']))
    expect(new Set(records.map(({ delivered }) => delivered))).toEqual(new Set([null]))
  }, 300_000)
})
