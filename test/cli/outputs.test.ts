import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, refused } from '../helpers/runs/cli.ts'

const small = ['run', '--tasks', 'ferry-morning', '--methods', 'baseline', '--agents', 'oracle', '--quiet']

/** A folder with a finished run in it, `run`. */
async function withRun(): Promise<string> {
  const cwd = tempFolder()
  await benchOk([...small, '--out', 'run'], { cwd })
  return cwd
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, 'utf8')])

it('an output never replaces a file that a run needs, also not through links', async () => {
  const cwd = await withRun()
  const run = join(cwd, 'run')
  symlinkSync('run/records.jsonl', join(cwd, 'link.xml'))
  symlinkSync('run', join(cwd, 'other'))
  symlinkSync('run/blobs/new', join(cwd, 'dangling'))
  mkdirSync(join(cwd, 'figures'))
  symlinkSync('../run/steps.jsonl', join(cwd, 'figures/success-cost.svg'))
  const before = filesOf(run)
  const needed = ['is a file that the run in', 'Give another file']
  for (const file of ['run/records.jsonl', 'run/run.json', 'link.xml', 'other/steps.jsonl', 'dangling']) {
    await refused(['report', 'run', '--out', file], [`--out ${file}`, ...needed], { cwd })
    await refused(['report', 'run', '--junit', file], [`--junit ${file}`, ...needed], { cwd })
    await refused([...small, '--out', 'next', '--junit', file], [`--junit ${file}`, ...needed], { cwd })
    await refused([...small, '--out', 'next', '--step-summary', file], ['--step-summary', ...needed], { cwd })
  }
  for (const folder of ['run/blobs', 'figures'])
    await refused(['report', 'run', '--format', 'svg', '--out', folder], ['--out', ...needed], { cwd })
  expect(filesOf(run)).toEqual(before)
  expect(existsSync(join(cwd, 'next'))).toBe(false)
})

it('an output never replaces a file that the new run will need; other names in its folder are allowed', async () => {
  const cwd = await withRun()
  await refused(argv`${small} --out next --junit next/records.jsonl`, ['--junit next/records.jsonl'], {
    cwd,
  })
  expect(existsSync(join(cwd, 'next/run.json'))).toBe(false)
  await benchOk([...small, '--out', 'next', '--junit', 'next/junit.xml'], { cwd })
  await benchOk(['report', 'run', '--format', 'markdown', '--out', 'run/report/report.md'], { cwd })
  expect(readFileSync(join(cwd, 'run/report/report.md'), 'utf8')).toContain('| baseline |')
})

it('a folder with another program’s run.json is not treated as a run', async () => {
  const cwd = folderOf({ 'run.json': '{"job": 7}' })
  mkdirSync(join(cwd, 'artifacts'))
  await benchOk([...small, '--out', 'next', '--junit', 'artifacts/junit.xml'], { cwd })
  expect(readFileSync(join(cwd, 'artifacts/junit.xml'), 'utf8')).toContain('<testsuites')
})

it('a step summary that cannot be written is reported before the run, and keeps its content', async () => {
  const cwd = await withRun()
  await refused(argv`${small} --out next --step-summary run`, ['--step-summary run', 'cannot be written'], {
    cwd,
  })
  expect(existsSync(join(cwd, 'next'))).toBe(false)
  writeFileSync(join(cwd, 'own.md'), 'Before.\n')
  await benchOk([...small, '--out', 'next', '--step-summary', 'own.md'], { cwd })
  expect(readFileSync(join(cwd, 'own.md'), 'utf8')).toMatch(/^Before\.\n/)
})
