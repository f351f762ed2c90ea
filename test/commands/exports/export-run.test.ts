import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { exported } from '../../helpers/exports/export-run.ts'
import { richRecords, richRun } from '../../helpers/exports/rich-run.ts'

/** What an export is refused with. */
const refusal = (run: string, options: Parameters<typeof exported>[1]): Promise<string> =>
  exported(run, { out: undefined, ...options }).then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  )

it('says what is wrong with its flags, all at once', async () => {
  const run = richRun()
  const folder = dirname(run)
  writeFileSync(join(folder, 'taken.jsonl'), 'kept')
  mkdirSync(join(folder, 'full'))
  writeFileSync(join(folder, 'full', 'file'), '')
  const calls: Parameters<typeof exported>[1][] = [
    {},
    { format: 'atiff' },
    { format: 'atif' },
    { format: 'atif', out: join(folder, 'full'), to: 'http://localhost:4318', content: true },
    { format: 'every-eval-ever', out: run },
    { format: 'every-eval-ever', out: join(run, 'inside') },
    { format: 'otlp', out: join(folder, 'taken.jsonl') },
    { format: 'otlp', out: join(run, 'steps.jsonl') },
    { format: 'otlp', to: 'localhost:4318', out: join(folder, 'new') },
    { format: 'otlp', to: 'localhost:4318' },
    { format: 'otlp', to: 'http://user:pass@localhost:4318' },
  ]
  const said = []
  for (const options of calls) said.push(await refusal(run, options))
  expect(said.join('\n').replaceAll(folder, 'FOLDER')).toMatchSnapshot()
  expect(readFileSync(join(folder, 'taken.jsonl'), 'utf8')).toBe('kept')
})

it('does not export what does not match the ledger, and leaves nothing behind', async () => {
  const run = richRun()
  appendFileSync(join(run, 'steps.jsonl'), '{"trial":"a",broken}\n')
  const out = join(dirname(run), 'out')
  expect(await refusal(run, { format: 'atif', out })).toMatch(/^UserError: .*steps\.jsonl/)
  const damaged = richRun()
  const lines = readFileSync(join(damaged, 'records.jsonl'), 'utf8')
  writeFileSync(join(damaged, 'records.jsonl'), lines.replace('"passed":false', '"passed":true'))
  expect(await refusal(damaged, { format: 'atif', out })).toMatch(/^UserError: .*records\.jsonl:2/)
  expect(existsSync(out)).toBe(false)
  expect(readdirSync(dirname(run))).toEqual(['run'])
})

it('asks before it shows a live run that is not whole, as bench report does, and then says what is missing', async () => {
  const run = richRun({ trials: 9 })
  expect(await refusal(run, { format: 'otlp' })).toMatch(/is not whole: 5 of 9 trials have ended.*--peek/s)
  const { said } = await exported(run, { format: 'atif', peek: true })
  expect(said).toContain('note: 5 of 9 trials have ended; the others are not exported')
  expect(said).toContain('this interim look at 5 of 9 trials is recorded')
  expect(readFileSync(join(run, 'looks.jsonl'), 'utf8')).toContain('bench export')
})

it('refuses a run of which no trial has ended', async () => {
  expect(await refusal(richRun({}, { recorded: [], steps: [] }), { format: 'otlp' })).toMatch(
    /has no trial that has ended\. bench show /,
  )
})

it('writes to stdout what it writes to a file', async () => {
  const run = richRun()
  const { stdout, said } = await exported(run, { format: 'otlp', out: undefined })
  const file = await exported(run, { format: 'otlp' })
  expect(stdout).toBe(readFileSync(file.out, 'utf8'))
  expect(stdout.trimEnd().split('\n')).toHaveLength(richRecords.length)
  expect(said).not.toContain('written')
})
