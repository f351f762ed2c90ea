// Makes the tables of docs/studies/same-model.md from the public board of Terminal-Bench 1, of which nothing is kept here:
// `npm run study:same-model`. It fetches the board's results with git, or reads the checkout that --board names. With --check it
// writes nothing, and fails if the page has other numbers; with --print it prints the tables of any such board.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { bench, git, root, say } from './publish-tools.mjs'
import { agentsTable, flipsTable, pairsTable, spendingTable } from './same-model-tables.mjs'
import { scriptOptions } from './script-options.mjs'
import { replaceTables } from './study-tables.mjs'

const source = 'https://github.com/laude-institute/terminal-bench-leaderboard'
const commit = '8e1925a397d7ed859c027cc19b3a3d90c16ef8df'
/** Of the paths and SHA-256 of all files that are read. */
const dataSum = 'fe3200506c1ef6c0c2bcebc5c403b0f9836fb29dea21ea2809c48088f46e30e5'
const dataset = 'results/terminal-bench-core@0.1.1'
const model = 'claude-4-sonnet'
const page = join(root, 'docs/studies/same-model.md')
/** Both ways to count what has no grade, with families and with tasks as units. */
const ways = {
  failed: ['--ungraded', 'failed', '--clusters'],
  failedByTask: ['--ungraded', 'failed'],
  missing: ['--clusters'],
}

const { board, check, print } = scriptOptions(
  'npm run study:same-model -- [--board FOLDER] [--check | --print]',
  { board: { type: 'string' }, check: { type: 'boolean' }, print: { type: 'boolean' } },
)
const folder = join(board === undefined ? fetchBoard() : resolve(board), dataset)
const work = mkdtempSync(join(tmpdir(), 'bench-same-model-'))
try {
  const runs = Object.entries(ways).map(([way, flags]) => [way, importBoard(way, flags)])
  const sum = sumOf(manifestOf(runs[0][1]).imported.files)
  if (print) process.stdout.write(`${Object.values(makeTables(runs)).join('\n\n')}\n`)
  else if (sum === dataSum) usePage(makeTables(runs))
  else {
    say(`${folder} has other results than commit ${commit} (sum ${sum}); --print shows its tables`)
    process.exitCode = 1
  }
} finally {
  rmSync(work, { recursive: true })
}

/** Fetches only the results and what names their runs, a few files of many gigabytes. */
function fetchBoard() {
  const target = join(root, '.cache/terminal-bench-leaderboard')
  if (existsSync(join(target, dataset))) return target
  rmSync(target, { recursive: true, force: true })
  git(['clone', '--quiet', '--filter=blob:none', '--no-checkout', source, target])
  const wanted = ['results.json', 'run_metadata.json'].map((name) => `/${dataset}/*${model}/**/*${name}`)
  git(['-C', target, 'sparse-checkout', 'set', '--no-cone', ...wanted])
  git(['-C', target, 'checkout', '--quiet', commit])
  return target
}

/** Imports the agents of the model in one way, and returns the folder of the run. */
function importBoard(way, flags) {
  const run = join(work, way)
  const agents = readdirSync(folder).filter((name) => name.endsWith(`_${model}`))
  const paths = agents.map((name) => join(folder, name))
  bench(['import', 'terminal-bench', ...paths, ...flags, '--out', run])
  return run
}

function manifestOf(run) {
  return JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'))
}

function makeTables(runs) {
  const read = Object.fromEntries(runs.map(([way, run]) => [way, readRun(run)]))
  return {
    agents: agentsTable(read),
    pairs: pairsTable(read),
    flips: flipsTable(read),
    spending: spendingTable(read),
  }
}

function readRun(run) {
  const records = readFileSync(join(run, 'records.jsonl'), 'utf8').trim().split('\n')
  return {
    report: JSON.parse(bench(['report', run, '--flips', '--format', 'json'])),
    manifest: manifestOf(run),
    records: records.map((line) => JSON.parse(line)),
  }
}

function sumOf(files) {
  const lines = files.map(({ path, digest }) => `${relative(folder, path).split(sep).join('/')} ${digest}\n`)
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex')
}

/** Writes the tables into the page, or compares them with it. */
function usePage(tables) {
  const known = readFileSync(page, 'utf8')
  const text = replaceTables(page, known, tables)
  if (!check) writeFileSync(page, text)
  else if (text !== known) {
    say(`${page} has other numbers; npm run study:same-model writes them`)
    process.exitCode = 1
  }
}
