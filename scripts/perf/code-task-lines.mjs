// The lines about a trial that is graded by running tests: how much it adds to what running the tests costs anyway.
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleaved, measure, measureTree, temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'
import { bench, benchExitCodes } from './trials.mjs'

const folderOf = (name) => fileURLToPath(new URL(`../../tasks/code/${name}`, import.meta.url))
const task = folderOf('duration-text')
/** Tasks whose hidden tests call the solution more often than others: each call goes from process to process. */
const dearest = ['money-split', 'cell-sheet']
const testFile = 'tests/parse-duration.test.mjs'
const repeat = fileURLToPath(new URL('repeat.mjs', import.meta.url))
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const few = 4
const many = 24

export function codeTask() {
  const node = nodeOf(24)
  const solved = solvedFolder(task)
  const forVitest = vitestFolder()
  // The simulated agent's candidates are kept from the warm-up on, as they are from a user's first run on.
  const env = { ORCHESTRATION_BENCH_CACHE: temporaryFolder() }
  // Everything that came of a run counts: the graders' processes inside a sandbox are not waited for by the harness.
  const run = (folder, agent, sandbox, epochs) => () => {
    const out = join(temporaryFolder(), 'run')
    const method = ['--methods', 'baseline', '--agents', agent, '--epochs', String(epochs), '--parallel', '1']
    const args = [bench, '--tasks', `native:${folder}`, ...method, '--sandbox', sandbox, '--out', out]
    return measureTree({ node, args, env, exitCodes: benchExitCodes })
  }
  const tests =
    (...flags) =>
    () =>
      measure({ node, args: [repeat, String(many), ...flags, testFile], cwd: solved })
  const vitest = () =>
    measureTree({ node, args: [join(modules, 'vitest/vitest.mjs'), 'run'], cwd: forVitest })
  const ways = {
    simulated: [task, 'simulated', 'none'],
    oracle: [task, 'oracle', 'none'],
    sandboxed: [task, 'oracle', 'bubblewrap'],
    ...Object.fromEntries(dearest.map((name) => [name, [folderOf(name), 'oracle', 'none']])),
  }
  interleaved(1, { simulated: run(task, 'simulated', 'none', 1), bare: tests(), vitest })
  const subjects = Object.entries(ways).flatMap(([name, way]) => [
    [`few ${name}`, run(...way, few)],
    [`many ${name}`, run(...way, many)],
  ])
  const samples = interleaved(3, {
    ...Object.fromEntries(subjects),
    bare: tests(),
    runner: tests('--test'),
    vitest,
    ...Object.fromEntries(dearest.map((name) => [`runner ${name}`, testCommand(node, name)])),
  })
  const each = (name) =>
    samples[`many ${name}`].map(({ cpuMs }, i) => (cpuMs - samples[`few ${name}`][i].cpuMs) / (many - few))
  const eachChild = (runs) => runs.map(({ childrenMs }) => childrenMs / many)
  const [oracle, simulated, sandboxed] = [each('oracle'), each('simulated'), each('sandboxed')]
  const [bare, runner] = [eachChild(samples.bare), eachChild(samples.runner)]
  const row = (what, ours, against, reference, target = {}) =>
    makeRow({ line: 'code-task', what, unit: 'ms', ours, against, reference, ...target })
  const unsandboxed = 'CPU per trial, unsandboxed, oracle: the very files of the bare run'
  const inSandbox = 'CPU per trial, graded in bubblewrap, oracle'
  const command = 'node --test FILE'
  return [
    row(unsandboxed, oracle, command, runner, { atMost: 1.3 }),
    row('CPU per trial, unsandboxed, simulated agent', simulated, command, runner, { atMost: 1.3 }),
    row(unsandboxed, oracle, 'node FILE', bare),
    row(inSandbox, sandboxed, command, runner, { atMost: 2 }),
    row(inSandbox, sandboxed, 'vitest run', cpuOf(samples.vitest), { inverse: true, atLeast: 4 }),
    row(inSandbox, sandboxed, 'node FILE', bare),
    ...dearest.map((name) => {
      const what = `CPU per trial of ${name}, unsandboxed, oracle`
      return row(what, each(name), 'node --test', eachChild(samples[`runner ${name}`]), { atMost: 1.3 })
    }),
  ]
}

/** Runs a task's own test command, on all of its hidden test files. */
function testCommand(node, name) {
  const files = readdirSync(join(folderOf(name), 'tests')).map((file) => `tests/${file}`)
  const cwd = solvedFolder(folderOf(name))
  return () => measure({ node, args: [repeat, String(many), '--test', ...files], cwd })
}

const cpuOf = (runs) => runs.map(({ cpuMs }) => cpuMs)

/** The task as solved, with its tests beside it: where one would type the test command. */
function solvedFolder(task) {
  const folder = temporaryFolder()
  for (const part of ['files', 'solution'])
    if (existsSync(join(task, part))) cpSync(join(task, part), folder, { recursive: true })
  cpSync(join(task, 'tests'), join(folder, 'tests'), { recursive: true })
  return folder
}

/** The same with its tests for vitest, whose `test` is called alike. */
function vitestFolder() {
  const folder = solvedFolder(task)
  const path = join(folder, testFile)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace("import test from 'node:test'", "import { test } from 'vitest'"))
  symlinkSync(modules, join(folder, 'node_modules'))
  return folder
}
