import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { strategy } from '../../cli/ci-scenario.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench } from '../../helpers/runs/cli.ts'

it('bench run notes before it starts that GITHUB_STEP_SUMMARY cannot be written, and runs anyway', async () => {
  const cwd = tempFolder()
  const run = ['run', '--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'no-op']
  mkdirSync(join(cwd, 'folder'))
  const ended = await bench([...run, '--out', 'run'], { cwd, env: { GITHUB_STEP_SUMMARY: 'folder' } })
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('baseline') })
  const fault = 'cannot add the tables to the step summary: [GITHUB_STEP_SUMMARY folder] cannot be written'
  expect(ended.stderr.indexOf(fault)).toBeGreaterThanOrEqual(0)
  expect(ended.stderr.indexOf(fault)).toBeLessThan(ended.stderr.indexOf('1 trial, '))

  const records = readFileSync(join(cwd, 'run/records.jsonl'), 'utf8')
  const taken = await bench(argv`${run} --out next`, {
    cwd,
    env: { GITHUB_STEP_SUMMARY: 'run/records.jsonl' },
  })
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('baseline') })
  expect(taken.stderr).toContain('[GITHUB_STEP_SUMMARY run/records.jsonl] is a file that the run in')
  expect(readFileSync(join(cwd, 'run/records.jsonl'), 'utf8')).toBe(records)

  const named = ['--step-summary', 'own.md', '--out', 'third']
  const quiet = await bench([...run, ...named], { cwd, env: { GITHUB_STEP_SUMMARY: 'folder' } })
  expect(quiet.stderr).not.toContain('GITHUB_STEP_SUMMARY')
})

it('bench run prints its results and keeps its exit code if the files for CI cannot be written at the end', async () => {
  const cwd = folderOf({
    'breaks.mjs': strategy
      .replace("name: 'review'", "name: 'breaks'")
      .replace(
        'async run({ ask }) {',
        "async run({ ask }) {\n    for (const file of ['summary.md', 'junit.xml']) { rmSync(file, { force: true }); mkdirSync(file) }",
      )
      .replace(/^/, "import { mkdirSync, rmSync } from 'node:fs'\n"),
  })
  const run = ['run', '--tasks', 'lamp-paths', '--methods', './breaks.mjs', '--agents', 'no-op', '--quiet']
  const after = async (args: readonly string[], env = {}) => {
    for (const file of ['summary.md', 'junit.xml']) rmSync(join(cwd, file), { recursive: true, force: true })
    const ended = await bench([...run, ...args], { cwd, env })
    expect(ended.stdout).toMatch(/^breaks /m)
    expect(ended.stderr).toContain('run folder: ')
    return ended
  }
  const ofEnvironment = await after(['--out', 'one'], { GITHUB_STEP_SUMMARY: 'summary.md' })
  expect(ofEnvironment).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('note: cannot add the tables to the step summary'),
  })
  // A missing output that a flag asked for is a failure.
  const asked = await after(['--out', 'two', '--junit', 'junit.xml', '--step-summary', 'summary.md'])
  expect(asked.code).toBe(1)
  expect(asked.stderr).toMatch(/^bench: \[junit\.xml\] cannot be written/m)
  expect(asked.stderr).toMatch(/^bench: \[summary\.md\] cannot be written/m)
})
