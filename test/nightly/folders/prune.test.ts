import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { lockRunFolder } from '../../../src/loop/record/lock.ts'
import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { gitSays, keptIn, readKept } from '../../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import {
  bench,
  benchOk,
  recordLines,
  recordsOf,
  refused,
  root,
  soon,
  startBench,
  until,
} from '../../helpers/runs/cli.ts'

/** A minute more, since the last session of a run ends some time after its begin. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000)

/** Makes everything in a run folder as old as this. */
function ageRun(folder: string, days: number): void {
  const sessions = join(folder, 'sessions.jsonl')
  if (existsSync(sessions)) {
    // Old sessions carry no checksum.
    const begun = JSON.stringify(daysAgo(days).toISOString())
    const text = readFileSync(sessions, 'utf8').replace(/"startedAt":"[^"]*"/, `"startedAt":${begun}`)
    writeFileSync(sessions, text.replace(/,"sum":"\w+"\}/g, '}'))
  }
  for (const name of readdirSync(folder)) lutimesSync(join(folder, name), daysAgo(days), daysAgo(days))
}

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
    await refused(['runs', 'prune', `--older-than=${wrong}`, '--yes'], [/is not an age/, /30d, 12h or 2w/], {
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

/** Trials that are over quickly, so that most kills hit one whose workspace is being written. */
const plan = ['--tasks', 'answers', '--methods', 'baseline,sequential', '--epochs', '8', '--quiet']
const paid = [
  ...['--mode', 'live', '--agents', `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`, '--yes'],
  ...['--tasks', 'answers', '--methods', 'baseline,sequential[parallel=2,maxOuter=2,maxInner=2]', '--quiet'],
]
const all = ['--keep-workspaces', 'all']

const trialsIn = (run: string) =>
  recordsOf(run)
    .map(({ trial }) => trial)
    .sort()

it.each([
  { name: 'simulated', plan, kills: 12, seed: 1, env: {} },
  { name: 'paid', plan: paid, kills: 8, seed: 2, env: { WORKER_MS: '20' } },
])(
  'a $name run that is killed $kills times leaves only whole workspaces, and resumes to those of a calm run',
  async ({ plan, kills, seed, env }) => {
    const random = seededRandom(`keep/${seed}`)
    const calm = join(tempFolder(), 'calm')
    await benchOk([...plan, ...all, '--parallel', '1', '--out', calm], { env })
    const folder = join(tempFolder(), 'run')
    let hits = 0
    for (let killed = 0; killed < kills; killed++) {
      const begun = existsSync(join(folder, 'run.json'))
      const before = keptIn(folder).length
      const args = begun ? ['--resume', folder, '--quiet'] : [...plan, ...all, '--out', folder]
      const running = startBench([...args, '--parallel', '4'], { env })
      await until(() => running.isOver() || keptIn(folder).length > before)
      await soon(random() * 60)
      running.kill('SIGKILL')
      await running.ended
      if (keptIn(folder).some((name) => name.includes('.'))) hits++
      const kept = Object.keys(readKept(folder))
      expect(kept).toEqual(expect.arrayContaining(trialsIn(folder)))
    }
    expect(hits, 'some kill must hit a workspace that is being written').toBeGreaterThan(0)
    const before = readKept(folder)
    const done = trialsIn(folder)
    const writtenAt = (trial: string) => join(folder, 'workspaces', trial, 'repository', 'HEAD')
    for (const trial of done) lutimesSync(writtenAt(trial), 1000, 1000)
    await benchOk(['--resume', folder, '--quiet'], { env })
    // A finished trial is not written again.
    for (const trial of done) expect(lstatSync(writtenAt(trial)).mtimeMs).toBe(1_000_000)
    for (const trial of done) expect(readKept(folder)[trial]).toEqual(before[trial])
    expect(keptIn(folder)).toEqual(trialsIn(folder))
    expect(readKept(folder)).toEqual(readKept(calm))
    expect(recordLines(folder)).toEqual(recordLines(calm))
  },
  600_000,
)

it('eight trials in parallel keep the same workspaces as one after the other, with any method', async () => {
  const methods = 'baseline,sequential,integrated,consensus,collaboration,dag,fanout,chained'
  const many = ['--tasks', 'ferry-morning,duration-text,cold-greenhouse', '--methods', methods, '--quiet']
  const cwd = tempFolder()
  for (const parallel of ['1', '8'])
    await benchOk([...many, ...all, '--parallel', parallel, '--out', parallel], { cwd })
  const kept = readKept(join(cwd, '8'))
  expect(kept).toEqual(readKept(join(cwd, '1')))
  expect(Object.keys(kept)).toEqual(trialsIn(join(cwd, '8')))
}, 600_000)

it('the kept workspace of a chained workflow has its branch, its start commit and its tree', async () => {
  const cwd = tempFolder()
  const run = join(cwd, 'run')
  const chained = ['--tasks', 'duration-text,seat-block', '--methods', 'chained', '--epochs', '2', '--quiet']
  await benchOk([...chained, ...all, '--out', 'run'], { cwd })
  let shipped = 0
  for (const { trial, state } of recordsOf(run)) {
    const { ship } = (state?.state ?? {}) as Partial<ChainState>
    if (!ship) continue
    shipped++
    const repository = join(run, 'workspaces', trial, 'repository')
    const names = ['start', `${ship.branch}^{tree}`]
    expect(gitSays(repository, 'rev-parse', ...names)).toBe(`${ship.base}\n${ship.tree}\n`)
  }
  expect(shipped).toBeGreaterThan(0)
}, 300_000)

it('bench runs prune removes a killed run with its whole and its half workspaces', async () => {
  const cwd = tempFolder()
  const runs = join(cwd, 'results')
  const hasHalf = (folder: string) => keptIn(folder).some((name) => name.includes('.'))
  let folder = ''
  for (let run = 0; !hasHalf(folder); run++) {
    folder = join(runs, `${run}`)
    const running = startBench([...plan, ...all, '--out', folder], { cwd })
    await until(() => running.isOver() || hasHalf(folder))
    running.kill('SIGKILL')
    const { signal, code } = await running.ended
    expect(signal ?? code).toSatisfy((end) => ['SIGKILL', 0].includes(end))
  }
  const prune = ['runs', 'prune', '--older-than', '1d', '--yes']
  for (const run of readdirSync(runs)) ageRun(join(runs, run), 3)
  expect(await benchOk(prune, { cwd })).toContain('unfinished')
  expect(hasHalf(folder)).toBe(true)
  await benchOk([...prune, '--include-unfinished'], { cwd })
  expect(readdirSync(runs)).toEqual([])
}, 300_000)
