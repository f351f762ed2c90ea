import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, until, wholeLines } from '../../helpers/runs/cli.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok, paidPlan } from './worked.ts'

needs('postgres').describe('people and a run of workers', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('questions come to the run, and answers to the trials that asked', { timeout: 60_000 }, async () => {
    const place = createPlace(postgres)
    const plan = argv`--tasks ferry-morning,lamp-paths --methods fanout:post-approval,baseline --approve park --quiet`
    const first = place.run(plan)
    await isPut(first)
    const worker = place.work('--keep')
    const parked = await first.ended
    expect(parked.code).toBe(4)
    expect(parked.stderr).toMatch(/2 trials wait for a person[\s\S]*Resume with: .* --queue postgres:/)
    const waiting = wholeLines(join(place.folder(), 'people.jsonl')).map((line) => JSON.parse(line).trial)
    expect(waiting).toHaveLength(2)
    expect(await benchOk(['approve', place.folder()])).toContain('final/post.md')
    for (const trial of waiting) await benchOk(['approve', place.folder(), trial, 'yes'])
    const { stdout } = await ok(place.resume('run', '--quiet'))
    expect(stdout).toContain('4 trials, none missing')
    worker.kill('SIGINT')
    expect((await worker.ended).code).toBe(130)
    const asked = recordsOf(place.folder()).filter(({ people }) => people)
    expect(asked.map(({ people }) => people)).toEqual([
      { approvals: 1, guidance: 0, sets: 0 },
      { approvals: 1, guidance: 0, sets: 0 },
    ])
    expect(await benchOk(['replay', place.folder()])).toContain('no divergence')
  })

  it('a pause stops all workers, a look before the end is told, and the run goes on', {
    timeout: 60_000,
  }, async () => {
    // As long as the gate is shut, no call ends, and so no trial.
    const gate = join(tempFolder(), 'gate')
    writeFileSync(gate, '')
    const place = createPlace(postgres, { WORKER_MS: '200', WORKER_GATE: gate })
    const first = place.run([...paidPlan, '--quiet'])
    await isPut(first)
    const workers = [place.work(), place.work()]
    await until(() => wholeLines(join(place.folder(), 'records.jsonl')).length > 0)
    rmSync(gate)
    await benchOk(['report', place.folder(), '--peek'])
    expect(await bench(['pause', place.folder()])).toMatchObject({ code: 0 })
    // The coordinator passes it on at its next look.
    const begun = () => readdirSync(join(place.folder(), 'blocks'))
    await until(() => begun().some((block) => existsSync(join(place.folder(), 'blocks', block, 'pause'))))
    writeFileSync(gate, '')
    const paused = await first.ended
    expect(paused).toMatchObject({ code: 4, stderr: expect.stringMatching(/paused after \d+ of 32 trials/) })
    for (const worker of workers) {
      worker.kill('SIGINT')
      await worker.ended
    }
    const again = place.resume('run', '--quiet')
    await isPut(again)
    await ok(place.work())
    await ok(again)
    expect(recordsOf(place.folder())).toHaveLength(32)
    expect(await benchOk(['report', place.folder()])).toMatch(/looked|interim look|looks? at/i)
  })
})
