import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { recordsOf, until, wholeLines } from '../../helpers/runs/cli.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok, paidPlan } from './worked.ts'

needs('postgres').describe('a damaged block', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('is left by all workers and told by them and the coordinator, while the rest and other runs are done; removed, it is done again', {
    timeout: 60_000,
  }, async () => {
    const place = createPlace(postgres, { WORKER_MS: '60' })
    const first = place.run([...paidPlan, '--quiet'], 'first')
    await isPut(first)
    const killed = place.work('--lease', '2')
    const block = join(place.folder('first'), 'blocks/2')
    await until(() => wholeLines(join(block, 'records.jsonl')).length > 0)
    killed.kill('SIGKILL')
    await killed.ended
    rmSync(join(block, 'steps.jsonl'))
    const other = place.run(argv`--tasks ferry-morning,lamp-paths --methods baseline --quiet`, 'other')
    await isPut(other)
    const lease = ['--lease', '2']
    const stays = place.work('--keep', ...lease)
    const { code, stderr: said } = await place.work(...lease).ended
    expect(code, said).toBe(1)
    expect(said).toMatch(/^no block is left but 1 damaged block; played \d+ blocks?$/m)
    expect(said.match(/block 2 of 8 of \S+ is left, as it is damaged: .*remove \S+2 and/g)).toHaveLength(1)
    await ok(other)
    expect(first.isOver()).toBe(false)
    await until(() => recordsOf(place.folder('first')).length === 28)
    rmSync(block, { recursive: true })
    const { stdout, stderr } = await ok(first)
    expect(stdout).toContain('32 trials, none missing')
    expect(stderr.match(/block 2 of \S+first is damaged, so it is left: .*remove /g)).toHaveLength(1)
    stays.kill('SIGINT')
    expect(await stays.ended).toMatchObject({ code: 130 })
  })
})
