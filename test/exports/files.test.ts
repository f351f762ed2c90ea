import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ruleErrors, schemaErrors } from '../helpers/exports/atif-rules.ts'
import { exported, filesOf, published } from '../helpers/exports/export-run.ts'
import { richRun } from '../helpers/exports/rich-run.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'

/** An imported run, of whose trials little is known. */
const imported = async () =>
  (
    await importRun([
      'per-instance',
      `${foreignFiles({ 'table.csv': 'task,passed,answer\na,1,yes\nb,0,\nc,,\n' })}/table.csv`,
    ])
  ).out

const runs = {
  'of its own': richRun,
  'with stages and graphs': () => published,
  'that was imported': imported,
}

it.each(Object.entries(runs))(
  'writes trajectories of a run %s that the published schema and its rules hold',
  async (_, makeRun) => {
    const errors = schemaErrors('atif-1.7')
    const { out } = await exported(await makeRun(), { format: 'atif' })
    const trajectories = Object.entries(filesOf(out)).filter(([path]) =>
      path.endsWith('/agent/trajectory.json'),
    )
    expect(trajectories.length).toBeGreaterThan(2)
    for (const [path, text] of trajectories) {
      expect(errors(JSON.parse(text)), path).toEqual([])
      expect(ruleErrors(JSON.parse(text)), path).toEqual([])
    }
  },
)

it.each(Object.entries(runs))(
  'writes files of Every Eval Ever of a run %s that the published schemas hold',
  async (_, makeRun) => {
    const aggregate = schemaErrors('every-eval-ever-aggregate-0.3')
    const instance = schemaErrors('every-eval-ever-instance-0.3')
    const { out } = await exported(await makeRun(), { format: 'every-eval-ever' })
    const files = filesOf(out)
    let samples = 0
    for (const [path, text] of Object.entries(files).filter(([name]) => name.endsWith('.json'))) {
      const document = JSON.parse(text)
      expect(aggregate(document), path).toEqual([])
      const { file_path, checksum, total_rows } = document.detailed_evaluation_results
      expect(file_path).toBe(path.replace('.json', '_samples.jsonl'))
      const lines = (files[file_path] ?? '').trimEnd().split('\n')
      expect([total_rows, checksum]).toEqual([
        lines.length,
        createHash('sha256')
          .update(files[file_path] ?? '')
          .digest('hex'),
      ])
      for (const line of lines) expect(instance(JSON.parse(line)), line.slice(0, 300)).toEqual([])
      expect(new Set(lines.map((line) => JSON.parse(line).evaluation_id))).toEqual(
        new Set([document.evaluation_id]),
      )
      samples += lines.length
    }
    expect(samples).toBeGreaterThan(1)
  },
)

it('numbers the steps of a trajectory, with each result beside its call, and leaves out what is unknown', async () => {
  const { out } = await exported(richRun(), { format: 'atif' })
  const files = filesOf(out)
  const [path = ''] = Object.keys(files).filter((name) => name.includes('__1__a/'))
  expect(files[path]).toMatchSnapshot()
  expect(files[path.replace('agent/trajectory', 'result')]).toMatchSnapshot()
})

it('leaves out of Every Eval Ever what has no verdict, and says so', async () => {
  const { out, said } = await exported(richRun(), { format: 'every-eval-ever' })
  expect(said).toContain('left out: 2 trials with no verdict, for which this format has no place')
  expect(Object.entries(filesOf(out))).toMatchSnapshot()
})

it.each(['atif', 'every-eval-ever'])(
  'writes %s alike each time, without right answers and prompts that the run leaves out',
  async (format) => {
    const run = richRun()
    const [first, second] = [await exported(run, { format }), await exported(run, { format })]
    expect(filesOf(first.out)).toEqual(filesOf(second.out))
    expect(JSON.stringify(filesOf(first.out))).toContain('Secret prompt?')
    const { out } = await exported(richRun({ capture: { prompts: false } }), { format })
    expect(JSON.stringify(filesOf(out))).not.toMatch(/Secret prompt|You solve|Secret result/)
    expect(readdirSync(dirname(first.out))).toEqual(['out'])
    expect(existsSync(join(first.out, '..', 'out.draft'))).toBe(false)
  },
)
