import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, until, wholeLines } from '../../helpers/runs/cli.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok, paidPlan } from './worked.ts'

needs('postgres').describe('blocks that nobody can take now', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  /** Each test leaves runs behind, which workers of the next would meet. */
  const emptyQueue = () =>
    postgres.sql("delete from orchestration_bench.bench_run where run <> ''").catch(() => '')

  it('a session keeps what the last one has settled, unless it is typed again', {
    timeout: 60_000,
  }, async () => {
    const place = createPlace(postgres)
    const settled = () => JSON.parse(readFileSync(join(place.folder(), 'joined/session.json'), 'utf8'))
    const stopped = async (coordinator: ReturnType<typeof place.run>) => {
      await isPut(coordinator)
      coordinator.kill('SIGINT')
      await coordinator.ended
      const { approve, budgets, keepGoing, keepWorkspaces, allowUnpriced } = settled()
      return { approve: approve.policy, budgets: budgets.run, keepGoing, keepWorkspaces, allowUnpriced }
    }
    const first = await stopped(
      place.run([
        ...paidPlan,
        ...argv`--quiet --approve park --max-calls 50 --keep-going --keep-workspaces failed --allow-unpriced`,
      ]),
    )
    expect(first).toEqual({
      ...{ approve: 'park', budgets: { calls: 50 }, keepGoing: true },
      ...{ keepWorkspaces: 'failed', allowUnpriced: true },
    })
    expect(await stopped(place.resume('run', '--quiet'))).toEqual(first)
    const typed = await stopped(place.resume('run', ...argv`--quiet --approve abort --max-calls 60`))
    expect(typed).toEqual({ ...first, approve: 'abort', budgets: { calls: 60 } })
    expect(await stopped(place.resume('run', '--quiet'))).toEqual(typed)
    await emptyQueue()
  })

  it('a worker ends where a pause, a limit or people hold all that is left, and says how it goes on', {
    timeout: 90_000,
  }, async () => {
    const gate = join(tempFolder(), 'gate')
    const place = createPlace(postgres, { WORKER_GATE: gate, WORKER_MS: '20' })
    const first = place.run([...paidPlan, '--quiet', '--max-calls', '60'])
    await isPut(first)
    const worker = place.work()
    await until(() => existsSync(join(place.folder(), 'blocks/1/steps.jsonl')))
    await benchOk(['pause', place.folder()])
    await until(() => existsSync(join(place.folder(), 'blocks/1/pause')))
    writeFileSync(gate, '')
    expect((await first.ended).code).toBe(4)
    const line = (what: string) =>
      new RegExp(
        `^\\d blocks? of ${place.folder()} ${what}; to go on: bench run --resume .* --queue postgres:`,
        'm',
      )
    expect((await ok(worker)).stderr).toMatch(line('paused'))
    // One that comes later waits for the first block as long as its lease.
    const later = (await ok(place.work())).stderr
    expect(later).toContain('no block yet; this worker waits 3 s for the first')
    expect(later).toMatch(line('paused'))
    const again = place.resume('run', ...argv`--quiet --max-calls 10`)
    await isPut(again)
    expect((await ok(place.work())).stderr).toMatch(line('stopped by a limit'))
    expect((await again.ended).code).toBe(3)
    await emptyQueue()
  })

  it('a worker that comes before a run waits for it', { timeout: 60_000 }, async () => {
    const place = createPlace(postgres)
    const worker = place.work('--lease', '20')
    await worker.says(/no block yet; this worker waits 20 s for the first/)
    const plan = argv`--tasks ferry-morning,lamp-paths --methods fanout:post-approval --approve park --quiet`
    const first = place.run(plan)
    const { stderr } = await ok(worker)
    expect(stderr).toMatch(/2 blocks of \S+ waiting for a person; to go on: bench approve, then bench run/)
    expect((await first.ended).code).toBe(4)
    await emptyQueue()
  })

  it('a worker leaves a run whose folder is gone, makes none anew, and does the others', {
    timeout: 90_000,
  }, async () => {
    const gate = join(tempFolder(), 'gate')
    const place = createPlace(postgres, { WORKER_GATE: gate, WORKER_MS: '20' })
    const moved = place.run([...paidPlan, '--quiet'], 'moved')
    await isPut(moved)
    const worker = place.work()
    await until(() => wholeLines(join(place.folder('moved'), 'blocks/1/steps.jsonl')).length > 0)
    const other = place.run(argv`--tasks ferry-morning --methods baseline --quiet`, 'other')
    await isPut(other)
    // The worker sees this while it still waits, and then looks for another run.
    renameSync(place.folder('moved'), join(tempFolder(), 'elsewhere'))
    writeFileSync(gate, '')
    const ended = await worker.ended
    expect(ended.code).toBe(1)
    expect(ended.stderr.match(/moved: its folder was moved or removed/g)).toHaveLength(1)
    expect(ended.stderr).toContain('no block is left; played 1 block')
    expect(ended.stderr).not.toContain('was over already')
    const { stderr, code } = await moved.ended
    expect({ stderr, code }).toMatchObject({ code: 1, stderr: expect.stringMatching(/was moved or removed/) })
    expect(stderr).not.toContain('--repair')
    await ok(other)
    expect(readdirSync(place.share)).toEqual(['other'])
    // One that comes later leaves it, too, and refuses to begin only if there is no other run.
    expect(await place.work().ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /has no folder moved .*Another team's run .*If moved was removed, bench runs prune --older-than AGE --queue postgres:/,
      ),
    })
    const third = place.run(argv`--tasks ferry-morning --methods baseline --quiet`, 'third')
    await isPut(third)
    expect((await ok(place.work())).stderr).toMatch(/a run is left: .*has no folder moved/)
    await ok(third)
    await emptyQueue()
  })

  it('a moved run that goes on is found at its new place, by a worker that knew the old one, too', {
    timeout: 60_000,
  }, async () => {
    const place = createPlace(postgres)
    const first = place.run(
      argv`--tasks answers --methods fanout:post-approval --approve park --quiet`,
      'old',
    )
    await isPut(first)
    const worker = place.work('--keep')
    expect((await first.ended).code).toBe(4)
    renameSync(place.folder('old'), place.folder('new'))
    const again = place.resume('new', ...argv`--approve yes --quiet`)
    await ok(again)
    worker.kill('SIGINT')
    const { stderr } = await worker.ended
    expect(stderr).toMatch(/run \S+\/new: 8 blocks/)
    expect(readdirSync(place.share)).toEqual(['new'])
  })
})
