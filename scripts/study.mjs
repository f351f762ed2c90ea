// Makes the study of cheap models: runs its methods on recorded replies, and writes reports, one table into the README and the tables of
// the study's page. With --check it changes nothing, and fails where what is published is not what would be made now; with --prove
// it runs a part of the code again whose verdicts are kept.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bench, betweenMarks, filesIn, firstScreen, root, say } from './publish-tools.mjs'
import { scriptOptions } from './script-options.mjs'

const data = join(root, 'fixtures/recorded/cheap-models')
const home = 'results/published/recorded'
const models = ['deepseek-v3', 'qwen-72b', 'llama-70b', 'qwen-7b', 'llama-8b']
const file = (suite) => `tasks/${suite}.jsonl.gz`
/** The two runs of the plan: votes and agreement need answers that can be equal, visible checks need code. */
const runs = {
  answers: {
    tasks: [
      `jsonl:${file('mgsm')}?name=mgsm&licence=MIT`,
      `math:${file('math')}`,
      `mmlu-pro:${file('mmlu-pro')}`,
      `bbh:${file('bbh')}`,
    ],
    methods: [...models, 'vote-cheap', 'vote-large', 'cascade-small', 'cascade-large'],
  },
  code: {
    tasks: [`humaneval:${file('humaneval')}`],
    methods: [...models, 'checks-qwen', 'checks-llama'],
  },
}
const formats = { text: 'txt', markdown: 'md', latex: 'tex', csv: 'csv' }

const { check, prove } = scriptOptions('npm run study [-- [--check] [--prove 1/10|all]]', {
  check: { type: 'boolean' },
  prove: { type: 'string' },
})
const scratch = mkdtempSync(join(tmpdir(), 'bench-study-'))
try {
  for (const name of Object.keys(runs)) makeRun(name)
  const made = { ...reports(), ...pages() }
  const problems = Object.entries(made)
    .filter(([path, text]) => sameAnywhere(textOf(path) ?? '') !== sameAnywhere(text))
    .map(([path]) => `${path}: it is another one now`)
  for (const path of filesIn(join(root, home)))
    if (made[join(home, path)] === undefined) problems.push(`${join(home, path)}: the study does not make it`)
  if (check) {
    for (const problem of problems) say(problem)
    say(problems.length === 0 ? 'the study is what its command makes' : 'npm run study makes it again')
    process.exitCode = problems.length === 0 ? 0 : 1
  } else {
    rmSync(join(root, home), { recursive: true, force: true })
    for (const [path, text] of Object.entries(made)) write(path, text)
    say(`${home}: ${Object.keys(runs).join(' and ')}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function makeRun(name) {
  const { tasks, methods } = runs[name]
  const plan = [
    '--tasks',
    tasks.join(),
    '--methods',
    methods.join(),
    '--baseline',
    'deepseek-v3',
    '--family',
    'baseline',
    '--margin',
    '3',
  ]
  const how = ['--mode', 'live', '--prices', 'prices.yaml', '--bracket', '--trust-code', '--quiet']
  // The file of verdicts is a part of what is made.
  const kept =
    name === 'code' ? ['--verdicts', 'verdicts.jsonl.gz', ...(check ? [] : ['--update-verdicts'])] : []
  const proved = name === 'code' && prove ? ['--prove-verdicts', prove] : []
  // Exit code 1: some trials of a model failed, since its reply is empty.
  bench(
    ['run', ...plan, ...how, ...kept, ...proved, '--parallel', '2', '--out', join(scratch, name)],
    data,
    [0, 1],
  )
}

/** Every report of both runs, by its path in the checkout. */
function reports() {
  const made = {}
  for (const name of Object.keys(runs)) {
    for (const [format, extension] of Object.entries(formats))
      bench(['report', name, '--format', format, '--out', `${name}-report/report.${extension}`], scratch)
    bench(['report', name, '--format', 'svg', '--out', `${name}-report/figures`], scratch)
    const folder = join(scratch, `${name}-report`)
    for (const path of filesIn(folder))
      made[join(home, name, path)] = readFileSync(join(folder, path), 'utf8')
  }
  return made
}

/**
 * A report without what may differ between two equal studies: the day, the commit, how many verdicts came from the file, and the digest of
 * the records, which hold in what words a program without an end was stopped.
 */
function sameAnywhere(text) {
  return text
    .replace(/^[-%] Verdicts of code:.*\n(?: {2}\S.*\n)*/m, '')
    .replace(/^- Run (?:answers|code) of \d{4}-[\s\S]*?data sha256 [0-9a-f]+/m, '')
    .replace(/, \d{4}-\d{2}-\d{2}; prices/, '; prices')
    .replace(/commit [0-9a-f]{12}(?: with changes)?/g, 'commit')
    .replace(/SHA-256 [0-9a-f]+/g, 'SHA-256')
}

/** The pages that quote the first screens. */
function pages() {
  const screen = (name) =>
    `\`\`\`\n${firstScreen(readFileSync(join(scratch, `${name}-report/report.txt`), 'utf8'))}\n\`\`\``
  const page = (path, names) =>
    names.reduce((text, name) => betweenMarks(text, path, name, () => screen(name)), textOf(path))
  return {
    'README.md': page('README.md', ['answers']),
    'docs/studies/cheap-models.md': page('docs/studies/cheap-models.md', ['answers', 'code']),
  }
}

function textOf(path) {
  const full = join(root, path)
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined
}

function write(path, text) {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
}
