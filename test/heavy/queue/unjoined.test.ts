import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, stepsOf, wholeLines } from '../../helpers/runs/cli.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok, paidPlan } from './worked.ts'

needs('postgres').describe('what stands in the blocks of a stopped run', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('is told by each reader, with the command that joins it, and is joined by that', {
    timeout: 60_000,
  }, async () => {
    const place = createPlace(postgres)
    const run = place.folder()
    const coordinator = place.run([...paidPlan, '--quiet', ...argv`--max-calls 21`])
    await isPut(coordinator)
    const worker = place.work('--keep')
    const stopped = await coordinator.ended
    expect(stopped, stopped.stderr).toMatchObject({ code: 3 })
    worker.kill('SIGINT')
    await worker.ended
    const blocks = readdirSync(join(run, 'blocks')).map((block) => join(run, 'blocks', block))
    const inBlocks = blocks.reduce((sum, block) => sum + recordsOf(block).length, 0)
    const calls = [run, ...blocks].flatMap(stepsOf).filter(({ kind }) => kind === 'ask').length
    const done = recordsOf(run).length + inBlocks
    expect(stopped.stderr).toContain(`stopped by a limit after ${done} of 32 trials`)
    const resume = `bench run --resume ${run} --queue postgres://USER@HOST/DATABASE`
    const told = new RegExp(`^note: ${inBlocks} trials? with a record \\(\\d+ calls?, .*${resume}$`, 'gm')
    for (const reader of [
      ...[
        ['show', run],
        ['report', run],
        ['report', run, '--peek'],
        ['export', run, ...argv`--format otlp`],
      ],
      ...[
        ['compare', 'baseline', 'self-consistency'].map((one) => (one === 'compare' ? one : `${run}:${one}`)),
      ],
      ...[
        ['power', run],
        ['replay', run, '--trust-code'],
      ],
    ]) {
      const { stderr } = await bench(reader)
      expect(stderr.match(told), `${reader}: ${stderr}`).toHaveLength(1)
    }
    const shown = await bench(['show', run])
    expect(shown.stdout).toContain(`${inBlocks} of them in blocks of workers, to be joined: ${resume}`)
    expect(shown.stdout).toContain(`${32 - done} not run yet: ${resume}`)
    const sessions = [run, ...blocks].flatMap((place) => wholeLines(join(place, 'sessions.jsonl')))
    const begun = sessions.filter((line) => line.startsWith('{"type":"begin"')).length
    expect(shown.stdout).toContain(`sessions ${begun} sessions of workers`)
    const [{ trial = '' } = {}] = blocks.flatMap(stepsOf)
    expect((await bench(['show', run, trial])).stdout).toContain(`Trial ${trial}`)
    const billed = [...shown.stdout.matchAll(/^ {2}[a-z( ,)]+: (\d+) calls?,/gm)]
    expect(billed.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(calls)
    const listed = await bench(['runs', place.share])
    expect(listed.stdout).toContain(`${done}/32 trials  stopped by a limit`)
    expect(listed.stdout).toContain(resume)
    const priced = await bench(['reprice', run, '--json'])
    const rows: { calls: number }[] = JSON.parse(priced.stdout).methods
    expect(rows.reduce((sum, row) => sum + row.calls, 0)).toBe(calls)
    for (const adviser of [
      ['pause', run],
      ['history', '--in', place.share],
    ])
      expect((await bench(adviser)).stderr).toContain(resume)
    const again = place.resume('run', '--quiet', '--max-calls', '10000')
    await isPut(again)
    await ok(place.work())
    await ok(again)
    expect((await bench(['show', run])).stderr).not.toContain('note:')
  })
})
