// Measures what compact reports of tools save on the built-in code tasks: runs the method `chained` on them with simulated agents,
// reads the savings in the records, and puts a table into docs/reference/tool-savings.md. With --check it changes nothing, and
// fails where the guide has another table.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sumRuns } from '../dist/src/analysis/tool-savings.js'
import { bench, root, say } from './publish-tools.mjs'
import { scriptOptions } from './script-options.mjs'

const guide = join(root, 'docs/reference/tool-savings.md')
const place = /(<!-- saving on tasks -->\n)[\s\S]*?(?=<!-- end of saving on tasks -->)/

const { check } = scriptOptions('npm run task-savings [-- --check]', { check: { type: 'boolean' } })
const scratch = mkdtempSync(join(tmpdir(), 'bench-savings-'))
try {
  const out = join(scratch, 'run')
  bench(['run', '--tasks', 'code', '--methods', 'chained', '--seed', '1', '--quiet', '--out', out])
  const records = readFileSync(join(out, 'records.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const old = readFileSync(guide, 'utf8')
  const text = old.replace(place, (_, start) => start + table(records))
  if (!check) writeFileSync(guide, text)
  else if (text !== old) {
    say(`the guide has another table; npm run task-savings writes this one:\n${table(records)}`)
    process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function table(records) {
  const tasks = [...records].sort((a, b) => (a.task < b.task ? -1 : 1))
  const all = tasks.flatMap(({ savings = [] }) => savings)
  const rows = tasks.flatMap(({ task, savings = [] }) =>
    [...new Set(savings.map(nameOf))].map((name) =>
      row(
        task.replace('code/', ''),
        name,
        savings.filter((run) => nameOf(run) === name),
      ),
    ),
  )
  const lines = [
    '| task | stage, tool | runs | tokens of the output | of the reports | saved | median of runs |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    row('**all**', '', all),
  ]
  return `${lines.join('\n')}\n`
}

function nameOf({ stage, tool }) {
  return `${stage}, ${tool}`
}

function row(task, name, runs) {
  const { rawTokens, compactTokens, share, medianShare } = sumRuns(runs)
  const cells = [task, name, runs.length, rawTokens, compactTokens, percent(share), percent(medianShare)]
  return `| ${cells.join(' | ')} |`
}

function percent(share) {
  return share === null ? '-' : `${(100 * share).toFixed(0)}%`
}
