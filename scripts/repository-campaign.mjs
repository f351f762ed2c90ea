// Makes a task of a commit of each repository in repositories.yaml, and prints a table of what became of it. It needs the network, for
// clones and packages, so CI does not run it: node scripts/repository-campaign.mjs FOLDER [NAME …]
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder, ...names] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder for the clones: node scripts/repository-campaign.mjs FOLDER')
const all = parse(fs.readFileSync(new URL('repositories.yaml', import.meta.url), 'utf8'))
const chosen = all.filter(
  ({ repository }) => names.length === 0 || names.some((one) => repository.includes(one)),
)

/** Runs a program; returns how it ended, and all that it printed. */
function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1e8 })
  return { isOk: status === 0, text: `${stdout}${stderr}` }
}

/** Clones a repository that is not in the folder yet, and installs the packages that its tests import. */
function prepare({ repository, packages = [] }) {
  const clone = resolve(folder, repository.replace('/', '+'))
  if (!fs.existsSync(clone)) {
    const made = run('git', ['clone', '--quiet', `https://github.com/${repository}`, clone])
    if (!made.isOk) throw new Error(`${repository} cannot be cloned: ${made.text}`)
  }
  if (packages.length > 0 && !fs.existsSync(join(clone, 'node_modules'))) {
    // In a folder beside it: the repository's own list would bring its runners, too.
    const beside = `${clone}.packages`
    fs.mkdirSync(beside, { recursive: true })
    fs.writeFileSync(join(beside, 'package.json'), '{}')
    const installed = run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages],
      beside,
    )
    if (!installed.isOk) throw new Error(`packages of ${repository}: ${installed.text}`)
    fs.renameSync(join(beside, 'node_modules'), join(clone, 'node_modules'))
  }
  return clone
}

function makeTask(clone, { commit, tests }) {
  const out = `${clone}.tasks`
  fs.rmSync(out, { recursive: true, force: true })
  const bench = join(root, 'dist/bench/cli.cjs')
  const args = [
    'tasks',
    'new',
    '--repo',
    clone,
    '--commit',
    commit,
    '--tests',
    tests,
    '--id',
    'task',
    '--out',
    out,
  ]
  const { isOk, text } = run(process.execPath, [bench, ...args])
  const count = (name) => new RegExp(`\\(${name}\\): (\\d+)`).exec(text)?.[1] ?? '?'
  if (isOk) return `proved, ${count('failToPass')} + ${count('passToPass')} tests`
  return `no: ${(/^bench: (?:\[[^\]]*\] )?(.*)$/m.exec(text)?.[1] ?? text.trim().split('\n').at(-1)).slice(0, 200)}`
}

process.stdout.write(
  '| repository | commit | --tests | packages | outcome |\n| --- | --- | --- | --- | --- |\n',
)
let proved = 0
for (const one of chosen) {
  const outcome = makeTask(prepare(one), one)
  if (outcome.startsWith('proved')) proved++
  const { repository, commit, tests, packages = [] } = one
  process.stdout.write(
    `| ${repository} | \`${commit}\` | \`${tests}\` | ${packages.join(', ')} | ${outcome} |\n`,
  )
}
process.stdout.write(`\n${proved} of ${chosen.length} became a task.\n`)
