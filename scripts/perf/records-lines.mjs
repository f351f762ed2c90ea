// The lines about reading a million records into a table: against DuckDB, and against readline with JSON.parse.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleaved, measure, temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { duckdb } from './peers.mjs'
import { makeRow, missingRow } from './row.mjs'
import { bench, runTrials } from './trials.mjs'

const count = 1_000_000
const rounds = 3
const what = '1,000,000 records to a table, whole process'
const program = (name) => fileURLToPath(new URL(name, import.meta.url))

export function records() {
  const node = nodeOf(24)
  const folder = temporaryFolder()
  const [small, run, table] = ['small', 'run', 'table.json'].map((name) => join(folder, name))
  runTrials(50, small)
  measure({ node, args: [program('many-records.mjs'), small, String(count), run] })
  const file = join(run, 'records.jsonl')
  const peer = duckdb()
  const by = (name, ...more) => measure({ node, args: [program(name), file, String(count), ...more] })
  const samples = interleaved(rounds, {
    ours: () => report(node, run, table),
    readline: () => by('records-readline.mjs'),
    ...(peer && { duckdb: () => by('records-duckdb.mjs', peer.folder) }),
  })
  const wall = (name) => samples[name].map(({ wallMs }) => wallMs)
  const bytes = Math.round(statSync(file).size / count)
  const row = (more) =>
    makeRow({ line: 'records', what: `${what}, wall`, unit: 'ms', ours: wall('ours'), ...more })
  return [
    peer
      ? row({
          against: `DuckDB ${peer.version}`,
          reference: wall('duckdb'),
          atMost: 4,
          note: `${bytes} bytes a record`,
        })
      : missingRow('records', 'DuckDB', 'npm run bench:peers installs it'),
    row({ against: 'readline and JSON.parse', reference: wall('readline'), inverse: true, atLeast: 1.3 }),
    makeRow({
      line: 'records',
      what: `${what}, CPU`,
      unit: 'ms',
      ours: samples.ours.map(({ cpuMs }) => cpuMs),
      against: 'readline and JSON.parse',
      reference: samples.readline.map(({ cpuMs }) => cpuMs),
    }),
    makeRow({
      line: 'records',
      what: `${what}, peak`,
      unit: 'MiB',
      ours: samples.ours.map(({ rssMiB }) => rssMiB),
      atMost: 160,
    }),
  ]
}

function report(node, run, table) {
  const sample = measure({ node, args: [bench, 'report', run, '--format', 'json', '--out', table] })
  const read = JSON.parse(readFileSync(table, 'utf8')).records
  if (read !== count) throw new Error(`${read} of ${count} records were read`)
  return sample
}
