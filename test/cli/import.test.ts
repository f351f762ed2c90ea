import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foreignFiles } from '../helpers/imports/import-run.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { benchOk, refused } from '../helpers/runs/cli.ts'

/** Imports a table of two methods on 13 tasks, one of which has no verdict. Returns the folder of the run. */
async function imported(): Promise<string> {
  const rows = Array.from({ length: 12 }, (_, i) => [
    `t${i},1,good,0.5`,
    `t${i},${i % 4 ? 0 : 1},poor,`,
  ]).flat()
  const text = ['task,passed,method,cost', ...rows, 't12,,good,1'].join('\n')
  const run = join(tempFolder(), 'run')
  await benchOk(['import', 'per-instance', join(foreignFiles({ 'r.csv': text }), 'r.csv'), '--out', run])
  return run
}

it('an imported run is reported with verdicts, and what it does not know is unknown', async () => {
  const run = await imported()
  const text = await benchOk(['report', run])
  expect(text.replaceAll(/\d{4}-\d\d-\d\d|sha256 \w+|\/\S+\/run/g, '…')).toMatchSnapshot()
  const { methods } = JSON.parse(await benchOk(['report', run, '--format', 'json'])) as {
    methods: { method: string; calls: number | null; checks: number | null; cost: unknown }[]
  }
  expect(methods.map(({ calls, checks }) => [calls, checks])).toEqual([
    [null, null],
    [null, null],
  ])
})

it('compare, power, show and the page take an imported run', async () => {
  const run = await imported()
  expect(await benchOk(['compare', `${run}:good`, `${run}:poor`, '--flips'])).toContain('imported/t1')
  expect(await benchOk(['power', run])).toContain('tasks for 10 points')
  const shown = await benchOk(['show', run])
  expect(shown).toContain('imported Imported from per-instance: 1 file.')
  expect(shown).not.toContain('Bill of the run')
  const [first = '{}'] = readFileSync(join(run, 'records.jsonl'), 'utf8').split('\n')
  const { trial } = JSON.parse(first) as { trial: string }
  expect((await benchOk(['show', run, trial])).replaceAll(trial, 'TRIAL')).toMatchSnapshot()
  await benchOk(['report', run, '--format', 'html', '--out', `${run}-page`])
  await benchOk(['report', run, '--format', 'latex'])
})

it('what needs a ledger is refused in one line with what works', async () => {
  const run = await imported()
  for (const args of [
    ['replay', run],
    ['replay', run, '--regrade'],
    ['run', '--resume', run],
    ['reprice', run],
    ['judge', 'sample', run, '--out', `${run}-labels`],
    ['replies', 'import', run, '--out', `${run}.jsonl`],
  ])
    await refused(args, ['holds imported results (per-instance)', 'bench report'])
})

it('an imported row stands beside no simulated one', async () => {
  const run = await imported()
  await benchOk(['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet', '--out', `${run}-own`])
  await refused(['compare', `${run}:good`, `${run}-own:baseline`], ['no task in common'])
})
