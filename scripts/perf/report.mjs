// Measures the cost of reporting a run of 100,000 records: four methods on 100 tasks. Memory counts as flat at 1.5x of the peak
// at 10,000: ids are kept, to find a trial that stands twice; to keep the records would double it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bench, each, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { runTrials } from './simulated-run.mjs'

const plan = { tasks: 100, methods: ['A=baseline', 'B=baseline', 'C=baseline', 'D=baseline'] }

const what = 'a report of 100,000 records'

export async function report(rounds) {
  const folder = temporaryFolder()
  const [small, large] = ['small', 'large'].map((name) => join(folder, name))
  await runTrials({ ...plan, epochs: 25, out: small })
  await runTrials({ ...plan, epochs: 250, out: large })
  const { few, many, readline } = await inTurn(rounds, {
    few: () => reportOf(small, 10_000),
    many: () => reportOf(large, 100_000),
    readline: () => measure({ args: [pathOf('readline.mjs'), join(large, 'records.jsonl'), '100000'] }),
  })
  const [cpu, peak] = [each('cpuMs', many), each('peakMiB', many)]
  const byHand = each('cpuMs', readline)
  return [
    makeRow(`${what}, CPU`, 'ms', cpu, 'readline and JSON.parse', byHand, { atMost: 8 }),
    makeRow(`${what}, peak`, 'MiB', peak, 'of 10,000', each('peakMiB', few), { atMost: 1.5 }),
  ]
}

async function reportOf(run, count) {
  const table = join(temporaryFolder(), 'table.json')
  const sample = await measure({ args: [bench, 'report', run, '--format', 'json', '--out', table] })
  const { records } = JSON.parse(readFileSync(table, 'utf8'))
  if (records !== count) throw new Error(`${records} of ${count} records were read`)
  return sample
}
