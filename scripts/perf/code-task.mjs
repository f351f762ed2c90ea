// Measures the cost of grading a code task by its hidden tests, beside running these tests by hand.
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { bench, each, growth, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'

const few = 4
const many = 24
const task = 'duration-text'
/** Its hidden tests call the solution more often than those of others: each call goes from process to process. */
const dearest = 'money-split'

export async function codeTask(rounds) {
  const sandbox = (await countsSandboxes()) ? 'bubblewrap' : 'none'
  const ways = { plain: [task, 'none'], dearest: [dearest, 'none'], usual: [task, sandbox] }
  const subjects = Object.entries(ways).flatMap(([name, way]) => [
    [`${name} few`, () => gradeEpochs(...way, few)],
    [`${name} many`, () => gradeEpochs(...way, many)],
  ])
  const byHand = { bare: testCommand(task), bareDearest: testCommand(dearest), vitest: vitestRun() }
  const samples = await inTurn(rounds, { ...Object.fromEntries(subjects), ...byHand })
  const row = (name, against, peer, target) => {
    const ours = growth('cpuMs', samples[`${name} few`], samples[`${name} many`], many - few)
    const what = `${ways[name][0]} graded, sandbox ${ways[name][1]}, CPU`
    return makeRow(what, 'ms', ours, against, each('cpuMs', samples[peer]), target)
  }
  return [
    row('plain', 'node --test', 'bare', { atMost: 1.5 }),
    row('dearest', 'node --test', 'bareDearest', { atMost: 1.5 }),
    row('usual', 'node --test', 'bare', { atMost: 1.5 }),
    row('usual', 'vitest run', 'vitest', { atLeast: 3.5 }),
  ]
}

/** Whether bubblewrap is here and what runs in it is counted: on Linux, as root. */
async function countsSandboxes() {
  const { exitCode } = await execa('bwrap', ['--version'], { reject: false })
  return exitCode === 0 && (await measure({ args: ['-e', '0'] })).sandboxes
}

const folderOf = (name) => pathOf(`../../tasks/code/${name}`)

/** Grades the reference solution so many times, one after another: the very files that the tests by hand run on. */
async function gradeEpochs(name, sandbox, epochs) {
  const plan = ['--tasks', `native:${folderOf(name)}`, '--methods', 'baseline', '--agents', 'oracle']
  const how = ['--epochs', String(epochs), '--parallel', '1', '--sandbox', sandbox]
  const out = join(temporaryFolder(), 'run')
  const sample = await measure({ args: [bench, ...plan, ...how, '--out', out] })
  const records = readFileSync(join(out, 'records.jsonl'), 'utf8').trim().split('\n')
  const passed = records.filter((line) => JSON.parse(line).passed).length
  if (passed !== epochs) throw new Error(`${passed} of ${epochs} trials of ${name} passed`)
  return sample
}

/** The solved task with its tests beside it, and their paths: where one would type the test command. */
function solvedFolder(name) {
  const cwd = temporaryFolder()
  const parts = ['files', 'solution'].map((part) => join(folderOf(name), part)).filter(existsSync)
  for (const part of parts) cpSync(part, cwd, { recursive: true })
  cpSync(join(folderOf(name), 'tests'), join(cwd, 'tests'), { recursive: true })
  return { cwd, tests: readdirSync(join(cwd, 'tests')).map((file) => `tests/${file}`) }
}

function testCommand(name) {
  const { cwd, tests } = solvedFolder(name)
  return () => measure({ args: ['--test', ...tests], cwd })
}

/** The same tests by vitest, whose `test` is called alike. */
function vitestRun() {
  const { cwd, tests } = solvedFolder(task)
  for (const path of tests.map((test) => join(cwd, test))) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace("import test from 'node:test'", "import { test } from 'vitest'"))
  }
  const modules = pathOf('../../node_modules')
  symlinkSync(modules, join(cwd, 'node_modules'))
  return () => measure({ args: [join(modules, 'vitest/vitest.mjs'), 'run'], cwd })
}
