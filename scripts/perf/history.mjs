// Measures what a question to all runs costs: 200 runs of 500 trials each, made of one. Each query is a process of its own; what Node and
// DuckDB need to begin is measured apart.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addTimesum } from '../../dist/src/loop/journal/checksum.js'
import { digest } from '../../dist/src/text/canonical-json.js'
import { bench, each, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { runTrials } from './simulated-run.mjs'

const runs = 200
const plan = { tasks: 50, methods: ['A=baseline', 'B=baseline'], epochs: 5 }
const queries = ['agents', 'cost', 'trend', 'weekly', 'runs', 'best', 'scores', 'export']

export async function history(rounds) {
  const [folder, cache] = [join(temporaryFolder(), 'runs'), temporaryFolder()]
  await copies(folder)
  const env = { ...process.env, ORCHESTRATION_BENCH_CACHE: cache }
  const asked = (query) => () => measure({ args: [bench, 'history', query, '--in', folder], env })
  // The first look checks every line, later ones what has changed.
  const first = await asked('agents')()
  const samples = await inTurn(rounds, {
    start: () => measure({ args: [pathOf('duckdb-start.mjs')] }),
    ...Object.fromEntries(queries.map((query) => [query, asked(query)])),
  })
  const base = each('cpuMs', samples.start)
  const beyond = (cpu) => cpu.map((ms, i) => ms - base[i % base.length])
  const row = (name, unit, values, ownAtMost) =>
    makeRow(name, unit, values, 'start of DuckDB', base, { ownAtMost })
  return [
    row(`first look at ${runs} runs of 500 trials, CPU beyond the start`, 'ms', beyond([first.cpuMs]), 1000),
    ...queries.flatMap((query) => [
      row(`history ${query}, CPU beyond the start`, 'ms', beyond(each('cpuMs', samples[query])), 500),
      row(`history ${query}, peak`, 'MiB', each('peakMiB', samples[query]), 300),
    ]),
  ]
}

async function copies(folder) {
  const one = join(folder, 'run-0')
  await runTrials({ ...plan, out: one })
  const { sum: _, ...manifest } = JSON.parse(readFileSync(join(one, 'run.json'), 'utf8'))
  const records = readFileSync(join(one, 'records.jsonl'), 'utf8').trim().split('\n')
  for (let i = 1; i < runs; i++) {
    const run = join(folder, `run-${i}`)
    mkdirSync(run)
    const createdAt = new Date(Date.parse(manifest.createdAt) + i * 40 * 3_600_000).toISOString()
    const own = { ...manifest, id: `${manifest.id}-${i}`, createdAt }
    writeFileSync(join(run, 'run.json'), JSON.stringify({ ...own, sum: digest(own) }))
    // Other dollars in each run, so that nothing compresses to one value.
    const lines = records.map((line) =>
      addTimesum(
        line.replace(/,"sum":"\w+"\}\}$/, '}}').replace(/"costUsd":0\.0/, `"costUsd":0.${i % 10}`),
        '}}',
      ),
    )
    writeFileSync(join(run, 'records.jsonl'), `${lines.join('\n')}\n`)
    cpSync(join(one, 'steps.jsonl'), join(run, 'steps.jsonl'))
  }
}
