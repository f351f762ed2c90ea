import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { findRunFolder, latestRun, namesRun } from '../../../src/commands/open/named-runs.ts'
import * as folders from '../../../src/loop/record/run-folder.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** When each run was created; a run without a time is damaged. */
const created = new Map<string, string | undefined>()

function haveRuns(runs: Readonly<Record<string, string | undefined>>): void {
  for (const [name, at] of Object.entries(runs)) {
    mkdirSync(join('results', name), { recursive: true })
    writeFileSync(join('results', name, 'run.json'), '{}')
    created.set(join('results', name), at)
  }
}

beforeEach(() => {
  const before = process.cwd()
  process.chdir(tempFolder())
  onTestFinished(() => process.chdir(before))
  created.clear()
  const read = vi.spyOn(folders, 'readManifest').mockImplementation((folder) => {
    const createdAt = created.get(folder)
    if (createdAt === undefined) throw new UserError({ where: folder, what: 'is damaged' })
    return { createdAt } as ReturnType<typeof folders.readManifest>
  })
  return () => read.mockRestore()
})

it('a run is named by its path, its name, the beginning of its name, or latest', () => {
  haveRuns({
    'march-a': '2026-03-01T00:00:00Z',
    'march-b': '2026-05-01T00:00:00Z',
    april: '2026-04-01T00:00:00Z',
  })
  expect(findRunFolder('results/april')).toBe('results/april')
  expect(findRunFolder('april')).toBe(join('results', 'april'))
  expect(findRunFolder('ap')).toBe(join('results', 'april'))
  expect(findRunFolder('march-b')).toBe(join('results', 'march-b'))
  expect(findRunFolder('latest')).toBe(join('results', 'march-b'))
  expect(findRunFolder('may')).toBe('may')
  expect(findRunFolder('results/ap')).toBe('results/ap')
  expect([namesRun('latest'), namesRun('march'), namesRun('may')]).toEqual([true, true, false])
})

it('a beginning of several names is refused with the candidates, but a whole name is not', () => {
  haveRuns({
    march: '2026-01-01T00:00:00Z',
    'march-a': '2026-01-02T00:00:00Z',
    'march-b': '2026-01-03T00:00:00Z',
  })
  expect(() => findRunFolder('mar')).toThrow(
    /\[mar\] is the beginning of 3 runs in results\/: march, march-a, march-b\. Write more of the name/,
  )
  expect(findRunFolder('march')).toBe(join('results', 'march'))
})

it('a path wins over a name and over latest', () => {
  haveRuns({ april: '2026-01-01T00:00:00Z' })
  mkdirSync('april')
  mkdirSync('latest')
  expect(findRunFolder('april')).toBe('april')
  expect(findRunFolder('latest')).toBe('latest')
})

it('latest skips damaged runs, and says so if there is none', () => {
  expect(() => findRunFolder('latest')).toThrow('[latest] names no run, and results/ holds none')
  haveRuns({ old: '2026-01-01T00:00:00Z', broken: undefined })
  expect(latestRun('latest')).toBe(join('results', 'old'))
})
