import { existsSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../src/base/random.ts'
import type { ChainState } from '../../src/schema/stage/chain-state.ts'
import { ageRun } from '../helpers/machine/age-run.ts'
import { gitSays, keptIn, readKept } from '../helpers/machine/kept-workspaces.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, recordLines, recordsOf, root, soon, startBench, until } from '../helpers/runs/cli.ts'

/** Trials that are over quickly, so that most kills hit one whose workspace is being written. */
const plan = ['--tasks', 'answers', '--methods', 'baseline,sequential', '--epochs', '8', '--quiet']
const paid = argv`--mode live --agents scripted:${join(root, 'fixtures/agents/paid-worker.mjs')} --yes
  --tasks answers --methods baseline,sequential[parallel=2,maxOuter=2,maxInner=2] --quiet`
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
