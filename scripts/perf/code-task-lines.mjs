// The line about a trial that is graded by running tests: how much it adds to what running the tests costs anyway.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleaved, measure, temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'
import { bench, benchExitCodes } from './trials.mjs'

const task = fileURLToPath(new URL('../../tasks/code/duration-text', import.meta.url))
const testFile = 'tests/parse-duration.test.mjs'
const repeat = fileURLToPath(new URL('repeat.mjs', import.meta.url))
const few = 10
const many = 60

export function codeTask() {
  const node = nodeOf(24)
  const solved = solvedFolder()
  // The simulated agent's candidates are kept from the warm-up on, as they are from a user's first run on.
  const env = { ORCHESTRATION_BENCH_CACHE: temporaryFolder() }
  const run = (agent, epochs) => () => {
    const out = join(temporaryFolder(), 'run')
    const method = ['--methods', 'baseline', '--agents', agent, '--epochs', String(epochs), '--parallel', '1']
    const args = [bench, '--tasks', `native:${task}`, ...method, '--out', out]
    return measure({ node, args, env, exitCodes: benchExitCodes })
  }
  const tests =
    (...flags) =>
    () =>
      measure({ node, args: [repeat, String(many), ...flags, testFile], cwd: solved })
  interleaved(1, { simulated: run('simulated', 1), oracle: run('oracle', 1), bare: tests() })
  const samples = interleaved(3, {
    fewSimulated: run('simulated', few),
    fewOracle: run('oracle', few),
    bare: tests(),
    manySimulated: run('simulated', many),
    manyOracle: run('oracle', many),
    runner: tests('--test'),
  })
  const whole = ({ cpuMs, childrenMs }) => cpuMs + childrenMs
  const slope = (from, to) => to.map((sample, i) => (whole(sample) - whole(from[i])) / (many - few))
  const eachChild = (runs) => runs.map(({ childrenMs }) => childrenMs / many)
  const row = (what, ours, against, reference, target) =>
    makeRow({ line: 'code-task', what, unit: 'ms', ours, against, reference, ...target })
  const simulated = slope(samples.fewSimulated, samples.manySimulated)
  const oracle = slope(samples.fewOracle, samples.manyOracle)
  const bare = eachChild(samples.bare)
  const runner = eachChild(samples.runner)
  // Hidden tests and solution run in two processes: the bare test command starts two as well, its own and the file's.
  return [
    row('CPU per trial, oracle: the very files of the bare run', oracle, 'node --test FILE', runner, {
      atMost: 2,
    }),
    row('CPU per trial, simulated agent', simulated, 'node --test FILE', runner, { atMost: 2 }),
    row('CPU per trial, oracle: the very files of the bare run', oracle, 'node FILE', bare, {}),
  ]
}

/** The task as solved, with its tests beside it: where one would type the test command. */
function solvedFolder() {
  const folder = temporaryFolder()
  for (const part of ['files', 'solution'])
    if (existsSync(join(task, part))) cpSync(join(task, part), folder, { recursive: true })
  cpSync(join(task, 'tests'), join(folder, 'tests'), { recursive: true })
  return folder
}
