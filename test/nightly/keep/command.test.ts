import { execSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type RunRequest, requestToOptions } from '../../../src/commands/config/run-request.ts'
import { readSessions } from '../../../src/loop/record/sessions.ts'
import { keptIn, readKept } from '../../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused } from '../../helpers/runs/cli.ts'

const plan = argv`--tasks duration-text,ferry-morning --methods baseline --epochs 3 --sandbox none`
const small = ['--tasks', 'answers', '--methods', 'baseline', '--quiet']

const failedIn = (run: string) =>
  recordsOf(run)
    .filter(({ passed }) => passed !== true)
    .map(({ trial }) => trial)
    .sort()

it('bench run --keep-workspaces keeps the workspaces of trials, and bench show prints how to see what a trial did', async () => {
  const cwd = tempFolder()
  const [all, failed, none] = ['all', 'failed', 'none'].map((name) => join(cwd, name)) as [
    string,
    string,
    string,
  ]
  const ended = await bench([...plan, '--keep-workspaces', 'all', '--out', 'all'], { cwd })
  expect(ended.stderr).toContain('kept workspaces: all/workspaces/<trial>/')
  await benchOk([...plan, '--quiet', '--keep-workspaces', 'failed', '--out', 'failed'], { cwd })
  const plain = await bench([...plan, '--quiet', '--out', 'none'], { cwd })
  expect(plain.stderr).not.toContain('workspaces')

  const kept = readKept(all)
  expect(Object.keys(kept)).toEqual(
    recordsOf(all)
      .map(({ trial }) => trial)
      .sort(),
  )
  expect(keptIn(failed)).toEqual(failedIn(failed))
  expect(keptIn(failed).length).toBeGreaterThan(0)
  for (const [trial, workspace] of Object.entries(readKept(failed))) expect(workspace).toEqual(kept[trial])
  expect(existsSync(join(none, 'workspaces'))).toBe(false)
  for (const run of [failed, none]) expect(recordLines(run)).toEqual(recordLines(all))
  const manifest = (run: string) => JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as object
  expect(manifest(all)).toHaveProperty('keepWorkspaces', 'all')
  expect(manifest(none)).not.toHaveProperty('keepWorkspaces')

  const record = recordsOf(all).find(({ delivered }) => delivered !== null)
  const story = await benchOk(['show', 'all', record?.trial ?? ''], { cwd })
  const [, command = ''] = /^changes: (git .*)$/m.exec(story) ?? []
  const diff = execSync(command, { cwd, encoding: 'utf8' })
  expect(diff).toMatch(/^diff --git /)
  expect(await benchOk(['show', 'none', record?.trial ?? ''], { cwd })).not.toContain('workspace: ')
  expect(await bench(['replay', 'all'], { cwd })).toMatchObject({ code: 0 })
})

it('--keep-workspaces takes three words, from the command line, from the config file and in run()', async () => {
  const cwd = tempFolder()
  const wrong = ['[--keep-workspaces some] is not a valid value', 'Write failed, all or none.']
  await refused([...small, '--keep-workspaces', 'some', '--out', 'run'], wrong, { cwd })
  await refused([...small, '--keep-workspaces', 'some', '--dry-run'], wrong, { cwd })
  await refused([...small, '--keep-workspaces'], ['[--keep-workspaces <which>] needs a value'], { cwd })
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  writeFileSync(join(cwd, 'wrong.yaml'), 'run:\n  keepWorkspaces: some\n')
  await refused([...small, '--config', 'wrong.yaml'], [/wrong\.yaml:2 run\.keepWorkspaces/], { cwd })

  const request = { keepWorkspaces: 'some' } as unknown as RunRequest
  expect(() => requestToOptions(request)).toThrow("run() keepWorkspaces] must be 'failed' or 'all' or 'none'")
  expect(requestToOptions({ keepWorkspaces: 'failed' })).toEqual({ keepWorkspaces: 'failed' })

  writeFileSync(join(cwd, 'bench.config.yaml'), 'run:\n  keepWorkspaces: all\n')
  await benchOk([...small, '--out', 'by-file'], { cwd })
  expect(keptIn(join(cwd, 'by-file'))).toHaveLength(8)
  await benchOk([...small, '--keep-workspaces', 'none', '--out', 'typed'], { cwd })
  expect(keptIn(join(cwd, 'typed'))).toEqual([])
})

it('bench run --dry-run keeps no workspace and writes nothing', async () => {
  const cwd = tempFolder()
  const text = await benchOk([...small, '--keep-workspaces', 'all', '--dry-run', '--out', 'run'], { cwd })
  expect(text).toMatch(/^ *baseline +8 /m)
  expect(existsSync(join(cwd, 'run'))).toBe(false)
})

it('where git is missing, only a run that keeps workspaces is refused, before it begins', async () => {
  const cwd = tempFolder()
  const setting = { cwd, env: { PATH: join(cwd, 'empty') } }
  mkdirSync(join(cwd, 'empty'))
  const missing = [
    '[--keep-workspaces failed] needs git, which is not installed',
    'Install git',
    'leave it out',
  ]
  await refused([...small, '--keep-workspaces', 'failed', '--out', 'run'], missing, setting)
  await refused([...small, '--keep-workspaces', 'failed', '--dry-run'], missing, setting)
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  writeFileSync(join(cwd, 'c.yaml'), 'run:\n  keepWorkspaces: all\n')
  await refused(
    argv`${small} --config c.yaml --out run`,
    [/c\.yaml:2 run\.keepWorkspaces.* needs git/],
    setting,
  )
  const stopped = ['--keep-workspaces', 'none', '--max-calls', '2', '--out', 'run']
  expect(await bench([...small, '--config', 'c.yaml', ...stopped], setting)).toMatchObject({ code: 3 })
  await refused(argv`--resume run --keep-workspaces all`, ['[--keep-workspaces all] needs git'], setting)
  await benchOk(['--resume', 'run', '--max-calls', 'none', '--quiet'], setting)
})

it('a resumed run keeps workspaces as the session before it, unless it says otherwise', async () => {
  const cwd = tempFolder()
  const run = join(cwd, 'run')
  const session = (calls: string, ...more: string[]) =>
    bench(['--resume', 'run', '--parallel', '1', '--max-calls', calls, '--quiet', ...more], { cwd })
  await bench(argv`${small} --parallel 1 --max-calls 2 --keep-workspaces all --out run`, {
    cwd,
  })
  expect(keptIn(run)).toHaveLength(2)
  await session('4')
  expect(keptIn(run)).toHaveLength(4)
  await session('6', '--keep-workspaces', 'none')
  await session('7')
  expect(keptIn(run)).toHaveLength(4)
  await refused(['--resume', 'run', '--keep-workspaces', 'some'], ['--keep-workspaces some'], { cwd })
  await session('none', '--keep-workspaces', 'all')
  expect(recordsOf(run)).toHaveLength(8)
  expect(Object.keys(readKept(run))).toHaveLength(5)
  expect(readSessions(run).map(({ keepWorkspaces }) => keepWorkspaces)).toEqual([
    ...['all', 'all', 'none', 'none', 'all'],
  ])
})

it('a free request keeps workspaces beside its artifacts', async () => {
  const cwd = tempFolder()
  mkdirSync(join(cwd, 'project'))
  writeFileSync(join(cwd, 'project', 'a.txt'), 'one')
  writeFileSync(join(cwd, 'request.md'), 'Change a.txt.')
  const request = argv`--instruction request.md --workspace project --methods baseline --quiet`
  await benchOk([...request, '--keep-workspaces', 'failed', '--out', 'run'], { cwd })
  const [kept] = Object.values(readKept(join(cwd, 'run')))
  expect(kept?.texts).toHaveProperty(['a.txt'])
})

it('no output of a command replaces a file of a kept workspace', async () => {
  const cwd = tempFolder()
  await benchOk([...small, '--keep-workspaces', 'all', '--out', 'run'], { cwd })
  const [trial = ''] = keptIn(join(cwd, 'run'))
  const path = `run/workspaces/${trial}/repository/HEAD`
  await refused(['report', 'run', '--format', 'html', '--out', path], ['is a file that the run in'], { cwd })
})
