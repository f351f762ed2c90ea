// Measures the CPU and memory of a simulated trial in runs of 1,000 to 100,000 trials, beside p-map.
import { join } from 'node:path'
import { each, growth, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { checkLines, runTrials } from './simulated-run.mjs'

export async function trials(rounds) {
  const counts = [1_000, 10_000, 100_000]
  const subjects = counts.flatMap((count) => [
    [`ours ${count}`, () => runTrials({ epochs: count })],
    [`floor ${count}`, () => floor(count)],
  ])
  const samples = await inTurn(rounds, Object.fromEntries(subjects))
  const grown = (field, side, from, to, scale) =>
    growth(field, samples[`${side} ${from}`], samples[`${side} ${to}`], to - from).map((each) => each * scale)
  const early = (side) => grown('cpuMs', side, 1_000, 10_000, 1000)
  const late = (side) => grown('cpuMs', side, 10_000, 100_000, 1000)
  const memory = (side) => grown('peakMiB', side, 10_000, 100_000, 1024)
  const peak = (side) => each('peakMiB', samples[`${side} 10000`])
  const range = '1,000 to 10,000'
  return [
    makeRow(`a further trial, ${range}, CPU`, 'us', early('ours'), 'p-map', early('floor'), { atMost: 15 }),
    makeRow('a further trial up to 100,000, CPU', 'us', late('ours'), range, early('ours'), { atMost: 1.2 }),
    makeRow('peak at 10,000 trials', 'MiB', peak('ours'), 'p-map', peak('floor'), { ownAtMost: 130 }),
    makeRow('peak per further trial', 'KiB', memory('ours'), 'p-map', memory('floor'), { ownAtMost: 2 }),
  ]
}

async function floor(count) {
  const records = join(temporaryFolder(), 'records.jsonl')
  const sample = await measure({ args: [pathOf('floor.mjs'), String(count), records] })
  checkLines(records, count)
  return sample
}
