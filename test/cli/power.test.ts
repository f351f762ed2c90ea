import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { bench, benchOk, refused } from '../helpers/runs/cli.ts'

/** A run of two methods on a few tasks, two epochs of each. */
async function pilot(...more: string[]): Promise<string> {
  const run = join(tempFolder(), 'run')
  const asked = argv`--tasks ferry-morning,lamp-paths --methods baseline,no=baseline[turns=2] --epochs 2
    --quiet`
  await bench([...asked, ...more, '--out', run])
  return run
}

it('bench power plans for a difference that requires billions of tasks', async () => {
  const run = await pilot()
  const needed = async (difference: string) => {
    const json = await benchOk(['power', run, '--difference', difference, '--json'])
    return (JSON.parse(json) as { pairs: { needed: number }[] }).pairs[0]?.needed as number
  }
  expect((await needed('0.001')) / (await needed('10'))).toBeCloseTo(1e8, -7)
})

it('bench power refuses a power at or below the significance level, such as 0.8 for 80%', async () => {
  const run = await pilot()
  for (const power of ['0.8', '5'])
    await refused(['power', run, '--power', power], [`--power ${power}`, 'write --power 80 for 80%'])
  await benchOk(['power', run, '--power', '6'])
})

it('bench power refuses a run without ended trials, and names the command that resumes it', async () => {
  const run = await pilot('--max-calls', '1', '--parallel', '1', '--tasks', 'ferry-morning')
  writeFileSync(join(run, 'records.jsonl'), '')
  await refused(['power', run], ['no trial of this run has ended yet', `bench run --resume ${run}`])
})

it('bench power refuses a pilot whose ledger does not match its records', async () => {
  const run = await pilot()
  const steps = join(run, 'steps.jsonl')
  expect(readFileSync(steps, 'utf8')).not.toBe('')
  writeFileSync(steps, '')
  await refused(['power', run], ['does not match its steps', 'from a copy of the run folder'])
})
