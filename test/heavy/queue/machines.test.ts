import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { recordsOf, startBench } from '../../helpers/runs/cli.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok } from './worked.ts'

needs('postgres', 'python3', 'bwrap').describe('a worker on another machine', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('without python3 takes only blocks that need none, and one in another sandbox or with another bench none', {
    timeout: 90_000,
  }, async () => {
    const place = createPlace(postgres)
    const coordinator = place.run(argv`--tasks ferry-morning,python --methods baseline --quiet`)
    await isPut(coordinator)
    const work = (args: readonly string[], env: Record<string, string> = {}) =>
      startBench(['work', '--queue', place.queue, '--share', place.share, ...args], {
        env: { ...place.env, ...env },
      })
    const open = await work(argv`--sandbox none --allow-unsandboxed`).ended
    expect(open.code).toBe(2)
    expect(open.stderr).toMatch(
      /\[bench work\] differs from where run \S+ began: the level of the sandbox \(full there, none here\)\. Use the same/,
    )
    // A program that does not say its version counts as missing.
    const broken = folderOf({ python3: '#!/bin/sh\nexit 1\n' })
    chmodSync(join(broken, 'python3'), 0o755)
    const without = await ok(work([], { PATH: `${broken}:${process.env.PATH}` }))
    expect(without.stderr).toMatch(/blocks that need python3 are left to others/)
    expect(without.stderr).toMatch(/played 1 block$/)
    await ok(place.work())
    await ok(coordinator)
    expect(recordsOf(place.folder()).length).toBeGreaterThan(1)
    expect(recordsOf(place.folder()).every(({ outcome }) => outcome.status === 'completed')).toBe(true)
  })
})
