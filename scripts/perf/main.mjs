// npm run bench:perf: measures speed and memory against floors and peers, and prints a row for each target.
// Options: --only LINE,LINE and --json. Targets that are missed are told, never made an exit code: machines differ.
import { cpus } from 'node:os'
import { scriptOptions } from '../script-options.mjs'
import { codeTask } from './code-task-lines.mjs'
import { formats } from './format-lines.mjs'
import { http } from './http-lines.mjs'
import { inner } from './inner-lines.mjs'
import { nodeOf } from './node-versions.mjs'
import { records } from './records-lines.mjs'
import { resampling } from './resampling-lines.mjs'
import { markdown, missingRow } from './row.mjs'
import { sandbox } from './sandbox-lines.mjs'
import { start } from './start-lines.mjs'
import { linear, memory, peer, slope, throughput } from './trial-lines.mjs'

const lines = {
  start,
  slope,
  throughput,
  peer,
  linear,
  memory,
  'code-task': codeTask,
  http,
  sandbox,
  records,
  resampling,
  formats,
  inner,
}

const values = scriptOptions('npm run bench:perf [-- --only LINE,LINE --json]', {
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
})
const chosen = values.only?.split(',').map((name) => name.trim()) ?? Object.keys(lines)
const unknown = chosen.filter((name) => !(name in lines))
if (unknown.length > 0) {
  process.stderr.write(
    `bench:perf: no line ${unknown.join(', ')}; there are ${Object.keys(lines).join(', ')}\n`,
  )
  process.exit(2)
}

const rows = []
for (const name of chosen) {
  process.stderr.write(`measuring ${name} …\n`)
  try {
    rows.push(...lines[name]())
  } catch (error) {
    // One line that breaks must not cost the minutes that the others took.
    rows.push(missingRow(name, name, error.message))
    process.exitCode = 1
  }
}

const machine = {
  date: new Date().toISOString().slice(0, 10),
  nodes: [nodeOf(20).version, nodeOf(24).version],
  platform: `${process.platform}-${process.arch}`,
  processors: cpus().length,
}
if (values.json) process.stdout.write(`${JSON.stringify({ ...machine, rows }, null, 2)}\n`)
else {
  const { date, nodes, platform, processors } = machine
  process.stdout.write(
    `\n${date}, Node ${nodes.join(' and ')}, ${platform}, ${processors} processors\n\n${markdown(rows)}\n`,
  )
}
