import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import {
  bench,
  recordsOf,
  refused,
  root,
  soon,
  startBench,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'

const plan = ['--mode', 'live', '--agents', `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`]
const tasks = [
  '--tasks',
  'ferry-morning,lamp-paths',
  '--methods',
  'baseline,sequential[maxInner=1,maxOuter=1]',
]

/** Starts a run whose agent replies only when the gate is opened, so that the test decides how long it holds the folder. */
function gated(more = tasks) {
  const folder = join(tempFolder(), 'run')
  const place = tempFolder()
  const [log, gate] = [join(place, 'log'), join(place, 'gate')]
  const setting = { env: { WORKER_LOG: log, WORKER_GATE: gate } }
  return {
    folder,
    begin: () => startBench([...plan, ...more, '--out', folder], setting),
    resume: () => startBench(['--resume', folder, '--quiet'], setting),
    calls: () => wholeLines(log).map((line) => (JSON.parse(line) as { pid: number }).pid),
    open: () => writeFileSync(gate, ''),
  }
}

it('a second process on a run folder is refused and does not disturb the first', async () => {
  const { folder, begin, calls, open } = gated()
  const first = begin()
  await until(() => first.isOver() || calls().length > 0)
  await refused(
    ['--resume', folder],
    [`another bench (process ${first.pid}) is using this run folder`, 'Wait'],
  )
  await refused([...plan, ...tasks, '--out', folder], ['already holds a run', `bench run --resume ${folder}`])
  open()
  expect(await first.ended).toMatchObject({ code: 0 })
  expect(recordsOf(folder)).toHaveLength(4)
  expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([])
})

it('a run at work is reported before any other problem of resuming it', async () => {
  const code = ['--tasks', 'duration-text', '--methods', 'baseline', '--allow-unsandboxed']
  const { folder, begin, calls, open } = gated(code)
  const first = begin()
  await until(() => first.isOver() || calls().length > 0)
  const words = [`another bench (process ${first.pid}) is using this run folder`]
  // Without the lock, it would be refused because there is no sandbox.
  const noSandbox = { env: { PATH: tempFolder() } }
  for (const more of [[], ['--agents', 'oracle'], ['--sandbox', 'docker']]) {
    const { stderr } = await refused(['--resume', folder, ...more], words, noSandbox)
    expect(stderr).not.toMatch(/sandbox|--agents/)
  }
  open()
  expect(await first.ended).toMatchObject({ code: 0 })
})

it('exactly one of several resumers takes over the lock of a killed process', async () => {
  const { folder, begin, resume, calls, open } = gated()
  const dead = begin()
  await until(() => dead.isOver() || calls().length > 0)
  dead.kill('SIGKILL')
  expect(await dead.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(existsSync(join(folder, 'lock'))).toBe(true)

  const resumers = Array.from({ length: 4 }, resume)
  const working = () => resumers.filter((one) => !one.isOver())
  await until(() => working().length <= 1)
  // A second winner would have asked by now.
  await soon(100)
  open()
  const ends = await Promise.all(resumers.map(({ ended }) => ended))
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 2, 2, 2])
  for (const { code, stderr } of ends) if (code === 2) expect(stderr).toMatch(/another bench .*is using/)
  expect(new Set(calls().filter((pid) => pid !== dead.pid)).size).toBe(1)
  expect(new Set(recordsOf(folder).map(({ trial }) => trial)).size).toBe(4)
  expect(recordsOf(folder)).toHaveLength(4)
})

it('a lock from before a restart is taken over although a process with its number runs', async () => {
  const { folder, begin, open } = gated()
  open()
  expect(await begin().ended).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, started: '1' }))
  expect(await bench(['--resume', folder])).toMatchObject({ code: 0 })
})
