import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  benchOk,
  intentsOf,
  recordLines,
  recordsOf,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok, paid, paidPlan, textsBelow } from './worked.ts'

needs('postgres').describe('workers on a queue', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('make of a run, simulated or live, what one process makes of it, be they one, two or four', {
    timeout: 120_000,
  }, async () => {
    const methods = argv`--tasks answers --methods baseline,A=sequential[maxOuter=2],self-consistency[match=A:tokens]`
    const plan = [...methods, ...argv`--epochs 2 --quiet`]
    const plans = { simulated: plan, live: [...plan, ...paid] }
    const wholes = Object.entries(plans).map(async ([name, plan]) => {
      const folder = join(tempFolder(), name)
      return { name, plan, folder, said: await benchOk([...plan, '--out', folder]) }
    })
    const runs = await Promise.all(wholes)
    for (const { folder } of runs) {
      const matched = recordsOf(folder).flatMap(({ matched }) => matched?.attempts ?? [])
      expect(matched).toHaveLength(16)
      // What it matches differs from task to task, so that it shows where it came from another one.
      expect(new Set(matched).size).toBeGreaterThan(1)
    }
    for (const count of [1, 2, 4]) {
      const place = createPlace(postgres)
      const coordinators = runs.map(({ name, plan }) => place.run(plan, name))
      await Promise.all(coordinators.map(isPut))
      const workers = Array.from({ length: count }, () => place.work())
      const ended = await Promise.all(coordinators.map(ok))
      await Promise.all(workers.map(ok))
      for (const [i, { name, folder, said }] of runs.entries()) {
        const own = place.folder(name)
        expect(recordLines(own)).toEqual(recordLines(folder))
        expect(ended[i]?.stdout.slice(0, 800)).toBe(said.slice(0, 800))
        expect(await benchOk(['replay', own, '--trust-code'])).toContain('no divergence')
        expect(readdirSync(own)).not.toContain('blocks')
      }
    }
    expect(await postgres.sql('select count(*) from orchestration_bench.job')).toBe('0')
    expect(await postgres.sql('select count(*) from orchestration_bench.bench_run')).toBe('0')
  })

  it('pay for each call once, though the coordinator and a worker are killed; a run that was stopped goes on where it was', {
    timeout: 120_000,
  }, async () => {
    const log = join(tempFolder(), 'bill')
    const place = createPlace(postgres, { WORKER_MS: '150', WORKER_LOG: log })
    const first = place.run([...paidPlan, '--quiet'])
    await isPut(first)
    const [killed, interrupted] = [place.work(), place.work()]
    await until(() => wholeLines(log).length > 6)
    first.kill('SIGKILL')
    killed.kill('SIGKILL')
    await first.ended
    interrupted.kill('SIGINT')
    const { stderr } = await interrupted.ended
    expect(stderr).toMatch(/block \d of 8 of .*: given back after \d of 4 trials/)
    // Nobody has joined anything yet, and what is there stays.
    await refuseWithoutQueue(place.folder())
    const workers = [place.work('--keep'), place.work()]
    const again = place.resume('run', '--quiet')
    await isPut(again)
    const second = place.resume('run', '--quiet')
    const { stdout } = await ok(again)
    expect(stdout).toContain('32 trials, none missing')
    expect(await second.ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is using this run folder/),
    })
    await workers[1]?.ended
    workers[0]?.kill('SIGINT')
    expect(await workers[0]?.ended).toMatchObject({ code: 130 })
    const records = recordsOf(place.folder())
    expect(records).toHaveLength(32)
    expect(new Set(records.map(({ trial }) => trial)).size).toBe(32)
    const paid = wholeLines(log).map((line) => JSON.parse(line).name as string)
    const asks = stepsOf(place.folder()).filter(({ kind }) => kind === 'ask')
    const maybe = asks.filter((step) => step.kind === 'ask' && step.maybePaid)
    expect(paid.length).toBeLessThanOrEqual(asks.length)
    expect(intentsOf(place.folder()).length).toBe(asks.length)
    expect(maybe.length).toBeLessThanOrEqual(8)
    expect(await benchOk(['replay', place.folder()])).toContain('no divergence')
    // Nothing is left to do, and nothing is done again.
    expect((await ok(place.resume('run', '--quiet'))).stdout).toContain('32 trials, none missing')
    expect(recordsOf(place.folder())).toHaveLength(32)
    expect(await benchOk(['show', place.folder()])).toMatch(
      /sessions \d+ sessions of workers, \d+ of them not finished, on \d+ x /,
    )
  })

  it('work on a server that ends idle sessions, has few connections, and whose user has other settings', {
    timeout: 60_000,
  }, async () => {
    const place = createPlace(postgres, { WORKER_MS: '250' })
    const settings = ["idle_session_timeout = '200ms'", "statement_timeout = '1ms'"]
    settings.push("default_transaction_isolation = 'serializable'")
    for (const setting of settings) await postgres.sql(`alter role bench set ${setting}`)
    const run = place.run([...paidPlan, ...argv`--quiet --max-calls 1000`])
    await isPut(run)
    await postgres.sql('alter role bench connection limit 12')
    const workers = [1, 2, 3, 4].map(() => place.work())
    expect((await ok(run)).stdout).toContain('32 trials, none missing')
    await Promise.all(workers.map(ok))
    await postgres.sql('alter role bench reset all; alter role bench connection limit -1')
  })

  it('leave no password in the database, the folders and what they say', { timeout: 60_000 }, async () => {
    const place = createPlace(postgres, { MY_SECRET_KEY: 'sk-mine-0123456789' })
    const coordinator = place.run([
      ...argv`--tasks answers --methods baseline --quiet --secret MY_SECRET_KEY`,
    ])
    await isPut(coordinator)
    const dump = await postgres.dump()
    const worker = place.work()
    const said = [await ok(coordinator), await ok(worker)]
    const texts = [dump, await postgres.dump(), textsBelow(place.share), JSON.stringify(said)].join('\n')
    expect(texts).toContain('block-1')
    expect(texts).not.toContain(postgres.password)
    expect(texts).not.toContain('sk-mine-0123456789')
  })
})

async function refuseWithoutQueue(folder: string): Promise<void> {
  expect(existsSync(join(folder, 'blocks'))).toBe(true)
  const { code, stderr } = await startBench(['--resume', folder, '--quiet']).ended
  expect(code).toBe(2)
  expect(stderr).toMatch(/is done by workers, and is not over\. Add --queue/)
}
