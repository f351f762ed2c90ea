import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  basisDifference,
  readVerdicts,
  verdictsBasis,
  writeVerdicts,
} from '../../../src/graders/verdicts/verdict-file.ts'
import type { Verdict } from '../../../src/schema/ledger/verdict.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { UserError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const basis = { programs: 'p', node: '20', python: '3.11' }
const header = { format: 'bench-verdicts-1', ...basis, verdicts: 1 }
const key = sha256('work')
const result = { status: 'passed' as const, passed: 1, total: 1, output: '' }
const check: Verdict = { kind: 'check', key, level: 'full', result }
const grade: Verdict = {
  ...{ kind: 'grade', key, level: 'full' },
  result: { scores: [{ name: 'tests', value: 1, reason: '1 of 1 tests passed' }], passed: true },
}
const lines = (...all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')

function fileOf(content: string | Buffer, name = 'verdicts.jsonl'): string {
  const path = join(tempFolder(), name)
  writeFileSync(path, content)
  return path
}

describe('a file of verdicts', () => {
  it.each(['verdicts.jsonl', 'verdicts.jsonl.gz'])('named %s is read as it was written', async (name) => {
    const path = join(tempFolder(), name)
    writeVerdicts(path, basis, [grade, check])
    const { basis: read, verdicts, digest } = await readVerdicts(path)
    expect(read).toEqual(basis)
    expect([...verdicts.values()]).toEqual([check, grade])
    const other = join(tempFolder(), name)
    writeVerdicts(other, basis, [check, grade])
    expect((await readVerdicts(other)).digest).toBe(digest)
  })

  const cut = gzipSync(lines(header, check)).subarray(0, 60)
  it.each([
    ['that is empty', ''],
    ['without a header', lines(check)],
    ['of another format', lines({ ...header, format: 'bench-verdicts-9' }, check)],
    ['whose last lines are gone', lines({ ...header, verdicts: 2 }, check)],
    ['that was cut within a line', lines(header, check).slice(0, -9)],
    ['that was cut and is gzipped', cut],
    ['with a line of another kind', lines(header, { ...check, kind: 'opinion' })],
    ['with a field that nobody knows', lines(header, { ...check, why: 'x' })],
    ['with a key that is no digest', lines(header, { ...check, key: 'abc' })],
    ['with a check that ran nothing', lines(header, { ...check, result: { ...result, status: 'none' } })],
    ['with two verdicts of one work', lines({ ...header, verdicts: 2 }, check, check)],
    ['that is a reply of a model', lines({ format: 'bench-replies-1' })],
  ])('%s is refused with place and remedy', async (_, content: string | Buffer) => {
    const path = fileOf(content)
    const error = await readVerdicts(path).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UserError)
    expect(String((error as Error).message).replaceAll(path, 'FILE')).toMatchSnapshot()
  })

  it.each([
    [{}, undefined],
    [{ programs: 'q' }, 'was made by other programs for tests than this bench has'],
    [{ node: '22' }, 'was made by Node 22, and this is Node 20'],
    [{ python: '3.12' }, 'was made by Python 3.12, and this machine has Python 3.11'],
    [{ python: null }, 'was made by no Python, and this machine has Python 3.11'],
  ])('of a machine with %j is another one where the verdicts may differ', (change, said) => {
    expect(basisDifference({ ...basis, ...change }, basis)).toBe(said)
  })

  needs('python3').it('of this machine names its Node, its Python and its programs', async () => {
    const own = await verdictsBasis()
    expect(own).toEqual({
      programs: expect.stringMatching(/^[0-9a-f]{64}$/),
      node: process.versions.node.split('.')[0],
      python: expect.stringMatching(/^3\.\d+$/),
    })
    expect(await verdictsBasis()).toEqual(own)
  })
})
