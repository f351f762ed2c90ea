// npm run bench:perf: measures what the harness costs against floors and peers, and prints a row for each target.
// A target that is missed is no failure, for machines differ; exit code 1 means that something could not be measured.
import { cpus } from 'node:os'
import { scriptOptions } from '../script-options.mjs'
import { codeTask } from './code-task.mjs'
import { firstCommand } from './first-command.mjs'
import { graphs, langgraph } from './graphs.mjs'
import { history } from './history.mjs'
import { http } from './http.mjs'
import { importing } from './import.mjs'
import { joining } from './join.mjs'
import { promptfoo } from './promptfoo.mjs'
import { report } from './report.mjs'
import { resampling } from './resampling.mjs'
import { formatRows, missingRow } from './row.mjs'
import { start } from './start.mjs'
import { trials } from './trials.mjs'
import { view } from './view.mjs'
import { coordinator, workers } from './workers.mjs'

const parts = {
  ...{ start, 'first-command': firstCommand, trials, promptfoo, report, join: joining, history, http },
  ...{ 'code-task': codeTask, resampling, graphs, langgraph, import: importing, view, workers, coordinator },
}

const options = scriptOptions('npm run bench:perf [-- --only PART,PART --rounds N --markdown --json]', {
  only: { type: 'string', default: Object.keys(parts).join() },
  rounds: { type: 'string', default: '5' },
  markdown: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
})
const chosen = options.only.split(',').map((name) => name.trim())
const rounds = Number(options.rounds)
const unknown = chosen.filter((name) => !(name in parts))
const problems = [
  ...(unknown.length > 0
    ? [`no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`]
    : []),
  ...(Number.isInteger(rounds) && rounds > 0 ? [] : [`--rounds must be 1 or more, not ${options.rounds}`]),
]
if (problems.length > 0) {
  process.stderr.write(problems.map((problem) => `bench:perf: ${problem}\n`).join(''))
  process.exit(2)
}

// Where a machine adds certificates of its own, Node 20 reads them at each start: more than all else that it does then.
delete process.env.NODE_EXTRA_CA_CERTS

const rows = []
for (const name of chosen) {
  process.stderr.write(`measuring ${name} …\n`)
  try {
    rows.push(...(await parts[name](rounds)))
  } catch (error) {
    // One part that breaks must not cost the minutes that the others took.
    process.stderr.write(`${error.stack}\n`)
    rows.push(missingRow(name, error.message.split('\n')[0].slice(0, 80)))
    process.exitCode = 1
  }
}

const machine = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  processors: cpus().length,
  rounds,
}
if (options.json) process.stdout.write(`${JSON.stringify({ ...machine, rows }, null, 2)}\n`)
else {
  const heading = Object.entries(machine).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`\n${heading.join(', ')}\n\n${formatRows(rows, options.markdown)}\n`)
}
