import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockRunFolder } from '../../../src/loop/record/lock.ts'
import { ageRun } from '../../helpers/machine/age-run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'

/** A folder of runs that are copies of one whole run; each is as old as it says. */
async function runsOf(
  days: Readonly<Record<string, number>>,
): Promise<{ cwd: string; at(run: string): string }> {
  const cwd = tempFolder()
  const at = (run: string) => join(cwd, 'results', run)
  await benchOk(['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet', '--out', 'first'], { cwd })
  for (const [name, old] of Object.entries(days)) {
    cpSync(join(cwd, 'first'), at(name), { recursive: true })
    ageRun(at(name), old)
  }
  return { cwd, at }
}

const prune = ['runs', 'prune', '--older-than', '30d']
const leftIn = (cwd: string) => readdirSync(join(cwd, 'results')).sort()

it('bench runs prune removes old finished runs and keeps newer ones, without following links', async () => {
  const { cwd, at } = await runsOf({ old: 40, older: 400, new: 29 })
  mkdirSync(join(cwd, 'precious'))
  writeFileSync(join(cwd, 'precious', 'file'), 'mine')
  symlinkSync(join(cwd, 'precious'), join(at('old'), 'artifacts'))
  mkdirSync(join(at('older'), 'blobs', 'deep'), { recursive: true })
  symlinkSync(join(cwd, 'precious', 'file'), join(at('older'), 'blobs', 'deep', 'file'))
  cpSync(at('old'), join(cwd, 'elsewhere'), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(cwd, 'elsewhere'), at('linked'))
  for (const name of ['old', 'older']) ageRun(at(name), 40)
  expect(await benchOk([...prune, '--dry-run'], { cwd })).toMatch(
    /^remove {2}results\/old {2}last written \d{4}-\d\d-\d\d, 40 days ago\nremove {2}results\/older .*\nkeep {4}1 newer run$/,
  )
  expect(leftIn(cwd)).toEqual(['linked', 'new', 'old', 'older'])

  const text = await benchOk([...prune, '--yes'], { cwd })
  expect(text).toContain('removed 2 runs')
  expect(leftIn(cwd)).toEqual(['linked', 'new'])
  expect(readFileSync(join(cwd, 'precious', 'file'), 'utf8')).toBe('mine')
  expect(existsSync(join(cwd, 'elsewhere', 'run.json'))).toBe(true)
})

it('bench runs prune keeps runs that are published, running, unfinished, damaged or hold another run', async () => {
  const names = ['published', 'marked', 'here', 'there', 'open', 'damaged', 'nested', 'plain']
  const { cwd, at } = await runsOf(Object.fromEntries(names.map((name) => [name, 90])))
  writeFileSync(join(at('marked'), 'published'), '')
  const lock = lockRunFolder(at('here'))
  const foreign = { pid: 1, started: '1', machine: 'another', host: 'other-host', ms: 5 }
  writeFileSync(join(at('there'), 'lock'), JSON.stringify(foreign))
  writeFileSync(join(at('open'), 'records.jsonl'), '')
  const sessions = readFileSync(join(at('open'), 'sessions.jsonl'), 'utf8')
  writeFileSync(join(at('open'), 'sessions.jsonl'), sessions.replace('"whole"', '"interrupted"'))
  writeFileSync(join(at('damaged'), 'run.json'), '{')
  cpSync(join(cwd, 'first'), join(at('nested'), 'inner'), { recursive: true })
  for (const name of names) ageRun(at(name), 90)
  try {
    const text = await benchOk([...prune, '--yes'], { cwd })
    expect(text.match(/^keep .*$/gm)?.map((line) => line.replace(/ {2}last.*ago/, ''))).toEqual([
      expect.stringContaining('results/damaged  damaged'),
      expect.stringMatching(/results\/here {2}running \(process \d+\)/),
      'keep    results/marked  published',
      'keep    results/nested  holds another run',
      'keep    results/open  unfinished',
      'keep    results/published  published',
      'keep    results/there  in use on another machine or in another container',
    ])
    expect(leftIn(cwd)).toEqual(names.filter((name) => name !== 'plain').sort())
    await benchOk([...prune, '--yes', '--include-unfinished'], { cwd })
    expect(leftIn(cwd)).toEqual(['damaged', 'here', 'marked', 'nested', 'published', 'there'])
  } finally {
    lock.release()
  }
})

it('bench runs prune keeps a run with files that bench did not write, and names them', async () => {
  const { cwd, at } = await runsOf({ mine: 90, plain: 90, moved: 90 })
  for (const run of ['mine', 'moved']) writeFileSync(join(at(run), 'my-thesis.docx'), 'mine')
  mkdirSync(join(at('mine'), 'notes'))
  writeFileSync(join(at('mine'), 'notes', 'a.txt'), 'mine')
  for (const run of ['mine', 'moved']) ageRun(at(run), 90)
  const why =
    /^keep {4}results\/mine .* holds 2 files that bench did not write: my-thesis\.docx, notes\/a\.txt; move them away$/m
  expect(await benchOk([...prune, '--dry-run'], { cwd })).toMatch(why)
  renameSync(join(at('moved'), 'my-thesis.docx'), join(cwd, 'my-thesis.docx'))
  ageRun(at('moved'), 90)
  const text = await benchOk([...prune, '--yes', '--include-unfinished'], { cwd })
  expect(text).toMatch(why)
  expect(text).toContain('removed 2 runs')
  expect(leftIn(cwd)).toEqual(['mine'])
  expect(readFileSync(join(at('mine'), 'my-thesis.docx'), 'utf8')).toBe('mine')
})

it('bench runs prune removes kept workspaces with their run, also one that holds a file run.json, but not a file beside them', async () => {
  const { cwd, at } = await runsOf({ kept: 90, mine: 90 })
  for (const run of ['kept', 'mine']) {
    const [trial = ''] = recordsOf(at(run)).map((record) => record.trial)
    const place = join(at(run), 'workspaces', trial)
    for (const folder of ['files', 'repository/refs/heads'])
      mkdirSync(join(place, folder), { recursive: true })
    writeFileSync(join(place, 'files/run.json'), '{}')
    writeFileSync(join(place, 'repository/HEAD'), 'ref: refs/heads/start')
    if (run === 'mine') writeFileSync(join(place, 'my-thesis.docx'), 'mine')
    ageRun(at(run), 90)
  }
  const text = await benchOk([...prune, '--yes'], { cwd })
  expect(text).toMatch(
    /^keep {4}results\/mine .* holds 1 file that bench did not write: workspaces\/\w+\/my-thesis\.docx; move it away$/m,
  )
  expect(leftIn(cwd)).toEqual(['mine'])
})

it('bench runs prune asks nobody without a terminal, and refuses ages that are none', async () => {
  const { cwd } = await runsOf({ old: 40 })
  const asked = await bench(prune, { cwd })
  expect(asked.code).toBe(2)
  expect(asked.stderr).toMatch(/would remove 1 run, and there is no terminal.*Add --yes/s)
  for (const wrong of ['30', '0d', '-3d', '1.5d', '30m', 'd', '9999999d'])
    await refused(argv`runs prune --older-than=${wrong} --yes`, [/is not an age/, /30d, 12h or 2w/], {
      cwd,
    })
  await refused(['runs', 'prune', '--yes'], [/--older-than\] is missing/], { cwd })
  await refused([...prune, '--yes', '--dry-run'], [/--dry-run\] conflicts with --yes/], { cwd })
  await refused([...prune, 'nowhere', '--yes'], [/nowhere\] does not exist/], { cwd })
  expect(leftIn(cwd)).toEqual(['old'])
  expect(await benchOk(['runs', 'prune', '--older-than', '6w', '--yes'], { cwd })).toContain(
    'no run is older than 6w',
  )
  expect(await benchOk(['runs', 'prune', '--older-than', '24h', '--yes'], { cwd })).toContain('removed 1 run')
})

it('bench runs prune keeps a run that git tracks, and removes one that git does not track', async () => {
  const { cwd, at } = await runsOf({ tracked: 40, ignored: 40 })
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' })
  git('init', '--quiet')
  git('add', join(at('tracked'), 'run.json'))
  const text = await benchOk([...prune, '--yes'], { cwd })
  expect(text).toMatch(/keep {4}results\/tracked .* published: git tracks it/)
  expect(leftIn(cwd)).toEqual(['tracked'])
})

it.each([
  ['GIT_DIR', 'elsewhere.git'],
  ['GIT_INDEX_FILE', 'elsewhere.index'],
])(
  'bench runs prune keeps a run that git tracks where %s leads elsewhere, as in a git hook',
  async (name, path) => {
    const { cwd, at } = await runsOf({ tracked: 40 })
    execFileSync('git', ['init', '--quiet'], { cwd })
    execFileSync('git', ['add', at('tracked')], { cwd })
    const text = await benchOk([...prune, '--yes'], { cwd, env: { [name]: join(cwd, path) } })
    expect(text).toMatch(/keep {4}results\/tracked .* published: git tracks it/)
    expect(leftIn(cwd)).toEqual(['tracked'])
  },
)

it('bench runs prune keeps a run that only the repository of GIT_DIR tracks', async () => {
  const { cwd, at } = await runsOf({ tracked: 40 })
  const env = { GIT_DIR: join(cwd, 'bare.git'), GIT_WORK_TREE: cwd }
  execFileSync('git', ['init', '--quiet', '--bare', env.GIT_DIR])
  execFileSync('git', ['add', at('tracked')], { cwd, env: { ...process.env, ...env } })
  expect(await benchOk([...prune, '--yes'], { cwd, env })).toContain('published: git tracks it')
  expect(leftIn(cwd)).toEqual(['tracked'])
})

it('bench runs prune keeps every run below a folder named published', async () => {
  const { cwd, at } = await runsOf({ 'published/deep/run': 40, 'published/run': 40 })
  for (const folder of ['results/published', 'results/published/deep'])
    expect(await benchOk([...prune, folder, '--yes'], { cwd })).toMatch(/^keep {4}.*run {2}.* published$/m)
  expect(readdirSync(at('published')).sort()).toEqual(['deep', 'run'])
})
