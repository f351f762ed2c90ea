import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished } from 'vitest'
import { filesOf } from '../../helpers/guides/blocks.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { recordsOf, startBench } from '../../helpers/runs/cli.ts'
import { freePort, serverUser } from '../../helpers/servers/postgres.ts'
import { isPut, ok } from './worked.ts'

needs('postgres').it(
  'the script of the page starts a database that a coordinator and a worker take',
  {
    timeout: 60_000,
  },
  async () => {
    const place = join(tempFolder(), 'place')
    mkdirSync(place)
    writeFileSync(join(place, 'postgres.sh'), filesOf('docs/reference/queue.md')['postgres.sh'] ?? '')
    const user = process.getuid?.() === 0 ? serverUser() : undefined
    if (user) for (const path of [join(place, '..'), place]) chownSync(path, user.uid, user.gid)
    const env = { PGPASSWORD: 'a password of mine', PORT: `${await freePort()}` }
    const setting = { cwd: place, env: { ...env, HOME: place }, ...user }
    // What it starts holds its output open.
    await execa('/bin/sh', ['postgres.sh'], { ...setting, stdio: 'ignore' })
    const [pid = ''] = readFileSync(join(place, 'db/postmaster.pid'), 'utf8').split('\n')
    onTestFinished(() => void process.kill(Number(pid), 'SIGINT'))
    const share = tempFolder()
    const there = argv`--queue postgres://bench@127.0.0.1:${env.PORT}/bench --share ${share}`
    const run = startBench(
      [...argv`run --tasks answers --methods baseline --quiet --out ${join(share, 'first')}`, ...there],
      { env },
    )
    await isPut(run)
    await ok(startBench(['work', ...there], { env }))
    await ok(run)
    expect(recordsOf(join(share, 'first'))).toHaveLength(8)
  },
)
