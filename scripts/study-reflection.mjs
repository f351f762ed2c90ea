// Makes the tables of docs/studies/reflection.md from the outcomes in fixtures/recorded/reflexion: `npm run study:reflection`. With --check it
// writes nothing, and fails if the page has other numbers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bench, root, say } from './publish-tools.mjs'
import { scriptOptions } from './script-options.mjs'
import { difference, holm, markdownTable, replaceTables } from './study-tables.mjs'

const { check } = scriptOptions('npm run study:reflection [-- --check]', { check: { type: 'boolean' } })
const folder = join(root, 'fixtures/recorded/reflexion')
const page = join(root, 'docs/studies/reflection.md')
const benchmarks = { HumanEval: 'humaneval-py', 'MBPP Python': 'mbpp-py', 'MBPP Rust': 'mbpp-rs' }
const work = mkdtempSync(join(tmpdir(), 'bench-reflection-'))
try {
  const compared = Object.entries(benchmarks).map(([name, file]) => compareArms(name, file))
  const tries = Object.values(benchmarks).map(countTries)
  const text = replaceTables(page, readFileSync(page, 'utf8'), {
    arms: armsTable(compared),
    tries: triesTable(tries),
  })
  if (!check) writeFileSync(page, text)
  else if (text !== readFileSync(page, 'utf8')) {
    say(`${page} has other numbers; npm run study:reflection writes them`)
    process.exitCode = 1
  }
} finally {
  rmSync(work, { recursive: true })
}

/** Imports both arms of a benchmark and compares them by task. */
function compareArms(name, file) {
  const run = join(work, file)
  const arms = ['reflexion', 'simple'].map((arm) => `${arm}=${join(folder, `${file}.${arm}.csv.gz`)}`)
  bench(['import', 'per-instance', ...arms, '--out', run])
  const { comparison } = JSON.parse(bench(['report', run, '--format', 'json']))
  const { outcome } = comparison.pairs[0]
  const passed = { simple: new Set(), reflexion: new Set() }
  for (const line of readFileSync(join(run, 'records.jsonl'), 'utf8').trim().split('\n')) {
    const record = JSON.parse(line)
    if (record.passed) passed[record.method].add(record.task)
  }
  const only = (one, other) => [...passed[one]].filter((task) => !passed[other].has(task)).length
  return {
    ...{ name, outcome, simple: passed.simple.size, reflexion: passed.reflexion.size },
    ...{ onlySimple: only('simple', 'reflexion'), onlyReflexion: only('reflexion', 'simple') },
  }
}

/** How many tasks ended after each number of tries, and how many of them were solved. */
function countTries(file) {
  const run = join(work, `${file}-tries`)
  bench([
    'import',
    'per-instance',
    join(folder, `${file}.reflexion.csv.gz`),
    '--columns',
    'method=tries',
    '--out',
    run,
  ])
  const { imported } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'))
  return new Map(
    imported.rows.map(({ row, passed, failed }) => [Number(row), `${passed} of ${passed + failed}`]),
  )
}

function armsTable(rows) {
  const adjusted = holm(rows.map(({ outcome }) => outcome.exactP))
  return markdownTable(
    [
      ...['benchmark', 'tasks', 'one reply', 'reflexion', 'only one reply', 'only reflexion'],
      ...['difference, points [95%]', 'p', 'p after Holm'],
    ],
    rows.map(({ name, outcome, simple, reflexion, onlySimple, onlyReflexion }, at) => [
      ...[name, outcome.nTasks, simple, reflexion, onlySimple, onlyReflexion],
      ...[difference(outcome), outcome.exactP.toFixed(4), adjusted[at].toFixed(4)],
    ]),
  )
}

function triesTable(counts) {
  const tries = [...new Set(counts.flatMap((one) => [...one.keys()]))].toSorted((a, b) => a - b)
  return [
    `| tries | ${Object.keys(benchmarks).join(' | ')} |`,
    '| ---: | ---: | ---: | ---: |',
    ...tries.map((count) => `| ${count} | ${counts.map((one) => one.get(count) ?? '').join(' | ')} |`),
  ].join('\n')
}
