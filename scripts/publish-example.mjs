// Makes the published example: runs its plan with simulated agents, and writes every kind of report of that run beside it,
// its command and its costs into guides; and the run of a workflow that a script plays. With --check it changes nothing, and
// fails where what is published is not what would be made now.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkWorkflow, publishWorkflow, runWorkflow } from './publish-fanout.mjs'
import { bench, betweenMarks, filesIn, git, root, runFiles, sameAnywhere, say } from './publish-tools.mjs'
import { scriptOptions } from './script-options.mjs'

const home = 'results/published/simulated'
const at = (...path) => join(root, home, ...path)
const devPath = join(root, 'docs/guides/dev-mode.md')
const guidePath = join(root, 'docs/guides/methods.md')
// JSON is left out: it is long, and `bench report --format json` makes it of the run.
const tables = { text: 'txt', markdown: 'md', latex: 'tex', csv: 'csv', html: 'html' }
/** Maximum size of what is published, which is cloned with the code. */
const mostBytes = 2_000_000

const { check } = scriptOptions('npm run publish:example [-- --check]', { check: { type: 'boolean' } })
const scratch = mkdtempSync(join(tmpdir(), 'bench-example-'))
try {
  process.exitCode = check ? checked() : published()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function published() {
  const plan = readPlan()
  const known = JSON.parse(bench(['methods', '--json'])).map(({ name }) => name)
  const methods = plan.methods.filter((method) => known.includes(strategyOf(method)))
  const left = plan.methods.filter((method) => !methods.includes(method))
  if (left.length > 0) say(`not here yet, left out: ${left.join(', ')}`)
  const changed = git(['status', '--porcelain', '--', 'src', 'strategies', 'tasks', 'fixtures'])
  if (changed !== '') {
    say(`commit these first, so that the run can name the commit that made it:\n${changed}`)
    return 1
  }
  // A separate checkout at a neutral path: the run records its commit and its folder.
  const checkout = join(tmpdir(), 'orchestration-bench')
  if (existsSync(checkout)) {
    say(
      `${checkout} is already there: another one is being published, or one was killed; see what it is and remove it`,
    )
    return 1
  }
  git(['worktree', 'prune'])
  git(['worktree', 'add', '--quiet', '--force', '--detach', checkout])
  try {
    runPlan({ ...plan, methods }, checkout)
    runWorkflow(scratch, checkout)
  } finally {
    git(['worktree', 'remove', '--force', checkout])
  }
  rmSync(at('run'), { recursive: true, force: true })
  mkdirSync(at('run'), { recursive: true })
  for (const file of runFiles) cpSync(join(scratch, 'run', file), at('run', file))
  publishWorkflow(scratch)
  rmSync(at('report'), { recursive: true, force: true })
  report(at('report'))
  writeFileSync(devPath, devGuide())
  writeFileSync(guidePath, methodsGuide())
  const problems = [...sizeProblems(), ...mechanismProblems()]
  for (const problem of problems) say(problem)
  return problems.length === 0 ? 0 : 1
}

function sizeProblems() {
  const files = ['simulated', 'fanout'].flatMap((name) => {
    const folder = join(root, 'results/published', name)
    return filesIn(folder).map((file) => join(folder, file))
  })
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  say(`the published runs: ${(bytes / 1e6).toFixed(2)} MB`)
  return bytes > mostBytes
    ? [`the published runs: more than ${mostBytes / 1e6} MB: take fewer tasks or methods in plan.json`]
    : []
}

/** A mechanism that acted and one that never did, so that the example shows both lines. */
function mechanismProblems() {
  const text = readFileSync(at('report/report.txt'), 'utf8')
  return [
    ...(/^sequential +summaries +[1-9]\d* of /m.test(text) ? [] : ['no summary shortened anything']),
    ...(/: this run says\s+nothing about /.test(text) ? [] : ['each mechanism acted']),
  ].map((problem) => `${home}: ${problem}: take other tasks or another seed in plan.json`)
}

function checked() {
  const plan = readPlan()
  const labels = JSON.parse(readFileSync(at('run/run.json'), 'utf8')).methods.map(({ label }) => label)
  const methods = plan.methods.filter((method) =>
    labels.some((label) => [method, method.split('=')[0]].includes(label)),
  )
  const problems = []
  runPlan({ ...plan, methods }, scratch)
  for (const file of ['records.jsonl', 'steps.jsonl'])
    if (sameAnywhere(join(scratch, 'run', file)) !== sameAnywhere(at('run', file)))
      problems.push(`${home}/run/${file}: the plan gives other trials now`)
  report(join(scratch, 'report'))
  for (const file of new Set([...filesIn(at('report')), ...filesIn(join(scratch, 'report'))])) {
    const [old, now] = [at('report', file), join(scratch, 'report', file)].map((path) =>
      existsSync(path) ? readFileSync(path, 'utf8') : undefined,
    )
    if (old !== now) problems.push(`${home}/report/${file}: the run's report is another one now`)
  }
  if (devGuide() !== readFileSync(devPath, 'utf8'))
    problems.push('docs/guides/dev-mode.md: the command in it is another one now')
  if (methodsGuide() !== readFileSync(guidePath, 'utf8'))
    problems.push('docs/guides/methods.md: the costs in it are other ones now')
  problems.push(...checkWorkflow(scratch), ...sizeProblems(), ...mechanismProblems())
  for (const problem of problems) say(problem)
  say(
    problems.length === 0
      ? 'the published example is what its command makes'
      : 'npm run publish:example makes it again',
  )
  return problems.length === 0 ? 0 : 1
}

function readPlan() {
  return JSON.parse(readFileSync(at('plan.json'), 'utf8'))
}

/** `A=sequential[maxInner=5]` is one of `sequential`, and `B=dag:debate` of `dag`. */
function strategyOf(method) {
  return method.replace(/\[.*$/, '').replace(/^.*=/, '').replace(/:.*$/, '')
}

function runPlan({ tasks, methods, epochs, seed }, cwd) {
  const plan = [
    '--tasks',
    tasks.join(','),
    '--methods',
    methods.join(','),
    '--epochs',
    epochs,
    '--seed',
    seed,
  ].map(String)
  // One trial at a time, so that the ledger's lines are always in the same order.
  bench([...plan, '--parallel', '1', '--no-config', '--quiet', '--out', join(scratch, 'run')], cwd)
}

/** Every kind of report, made from the published run under its path in the checkout. */
function report(folder) {
  const run = `${home}/run`
  for (const [format, extension] of Object.entries(tables))
    bench(['report', run, '--format', format, '--out', join(folder, `report.${extension}`)])
  bench(['report', run, '--format', 'svg', '--out', join(folder, 'figures')])
}

/** The rows of the published table of methods, as cells. */
function reportRows() {
  const lines = readFileSync(at('report/report.md'), 'utf8').split('\n')
  const start = lines.indexOf('**Each method in detail**') + 2
  return lines.slice(start, lines.indexOf('', start)).map(cellsOf)
}

function cellsOf(row) {
  return row.split('|').slice(1, -1)
}

function rowOf(cells) {
  return `|${cells.join('|')}|`
}

/** Returns the places of columns of the report's table. */
function columnsAt([heads], names) {
  const known = heads.map((cell) => cell.replace(/\(.*/, '').trim())
  const missing = names.find((name) => !known.includes(name))
  if (missing !== undefined) throw new Error(`the report has no column ${missing}`)
  return names.map((name) => known.indexOf(name))
}

/** The guide of dev mode with the command of the published run between its marks. */
function devGuide() {
  const { tasks, methods, seed } = readPlan()
  const command = `npx bench --tasks ${tasks.join(',')} --methods ${methods.join(',')} --seed ${seed}`
  return betweenMarks(readFileSync(devPath, 'utf8'), devPath, 'example', () => `\`\`\`sh\n${command}\n\`\`\``)
}

/** The guide of the methods, with what a trial of each has cost in the published run. */
function methodsGuide() {
  const rows = reportRows()
  const [method, ...measured] = columnsAt(rows, ['method', 'calls', 'tokens', 'cost'])
  const costs = new Map(
    rows.map((cells) => [cells[method].trim(), measured.map((column) => cells[column].replace('$', ''))]),
  )
  return betweenMarks(readFileSync(guidePath, 'utf8'), guidePath, 'costs', (table) =>
    table
      .split('\n')
      .map((row) => {
        const [name, least, , , , grows] = cellsOf(row)
        const found = costs.get(/^ `([\w-]+)/.exec(name ?? '')?.[1])
        return found ? rowOf([name, least, ...found, grows]) : row
      })
      .join('\n'),
  )
}
