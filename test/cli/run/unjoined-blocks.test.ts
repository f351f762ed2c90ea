import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockFolder, readyBlocks } from '../../../src/loop/join/blocks.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf } from '../../helpers/runs/cli.ts'
import { viewerOf } from '../../helpers/servers/viewer.ts'

describe('blocks of a run that are not joined', () => {
  it('are told with one number by each reader, with their damage, and none is taken for a run without gaps', async () => {
    const place = tempFolder()
    const plan = argv`--tasks ferry-morning,lamp-paths --methods baseline,self-consistency --quiet`
    const parts = [1, 2].map((k) => join(place, `part-${k}`))
    for (const [k, part] of parts.entries()) await benchOk([...plan, '--shard', `${k + 1}/2`, '--out', part])
    await benchOk([...plan, '--out', join(place, 'whole')])
    const run = join(place, 'run')
    mkdirSync(run)
    cpSync(join(place, 'whole/run.json'), join(run, 'run.json'))
    readyBlocks(run)
    cpSync(parts[0] ?? '', blockFolder(run, 1), { recursive: true })
    rmSync(join(blockFolder(run, 1), 'run.json'))
    // A number that the plan does not have, and a block in which nothing has happened yet.
    cpSync(blockFolder(run, 1), blockFolder(run, 99), { recursive: true })
    mkdirSync(blockFolder(run, 2))
    const note =
      /^note: 2 trials with a record \(\d+ calls, .*\) stand in 1 block of workers and are not joined yet \(0 joined\); to go on and join them, with the database of the run: bench run --resume \S+ --queue postgres:\/\/USER@HOST\/DATABASE$/m
    for (const reader of [
      ['show', run],
      ['report', run],
      ['report', run, '--peek'],
      ['replay', run],
    ])
      expect((await bench(reader)).stderr, reader.join(' ')).toMatch(note)
    const { stdout } = await bench(['report', run])
    expect(stdout).toContain('0 trials, 4 not joined')
    expect(stdout).not.toContain('none missing')
    const viewer = await viewerOf(place)
    const page = await viewer.get('/runs/run')
    for (const text of ['0 of 4 trials joined', 'No trial is joined yet', '2 trials with a record'])
      expect(page.text).toContain(text)
    for (const { trial } of recordsOf(blockFolder(run, 1))) {
      const { status, text } = await viewer.get(`/runs/run/trials/${trial}`)
      expect(status).toBe(200)
      expect(text).toContain(`data-trial="${trial}"`)
      expect(text).toContain('passed; completed')
    }
    expect((await viewer.get('/runs/run/trials/0123456789abcdef01234567')).status).toBe(404)
    rmSync(join(blockFolder(run, 1), 'steps.jsonl'))
    const { stderr } = await bench(['show', run])
    expect(stderr).toMatch(
      /^note: calls that were paid are not counted here, as a block is damaged: .*remove \S+blocks\/1 and go on.* 2 trials with a record \(0 calls/m,
    )
  })

  it('of a run without workers, are not spoken of: its trials have not run', async () => {
    const run = join(tempFolder(), 'run')
    await benchOk([...argv`--tasks ferry-morning --methods baseline,sequential --quiet --out ${run}`])
    for (const file of ['records', 'steps', 'sessions', 'events']) rmSync(join(run, `${file}.jsonl`))
    const { stdout } = await bench(['report', run])
    expect(stdout).toContain('0 trials, 2 not run')
  })
})
