import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, refused, until } from '../../helpers/runs/cli.ts'
import { gated, plan, tasks } from '../../helpers/scenarios/lock-scenario.ts'

it('a second process on a run folder is refused and does not disturb the first', async () => {
  const { folder, begin, calls, open } = gated()
  const first = begin()
  await until(() => first.isOver() || calls().length > 0)
  await refused(argv`--resume ${folder}`, [
    `another bench (process ${first.pid}) is using this run folder`,
    'Wait',
  ])
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

it('a lock from before a restart is taken over although a process with its number runs', async () => {
  const { folder, begin, open } = gated()
  open()
  expect(await begin().ended).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, started: '1' }))
  expect(await bench(['--resume', folder])).toMatchObject({ code: 0 })
})
