// The line about calls over HTTP: what the harness adds to a call of the vendor's model object.
import { spawn } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleaved, measure, temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'
import { bench, countLines, taskFolder } from './trials.mjs'

const program = fileURLToPath(new URL('http-calls.mjs', import.meta.url))
const server = fileURLToPath(new URL('../../test/model-server/main.mjs', import.meta.url))
const few = 100
const many = 600
const rounds = 5

export function http() {
  const node = nodeOf(24)
  const { url, end } = startServer(node)
  try {
    const promptFile = join(temporaryFolder(), 'prompt.txt')
    writeFileSync(promptFile, promptOf(runOf(node, url, 1)))
    const bare = (how, count) => () => measure({ node, args: [program, how, url, String(count), promptFile] })
    const ours = (count) => () => runOf(node, url, count).sample
    const subjects = {
      fewOurs: ours(few),
      fewModel: bare('doStream', few),
      fewFetch: bare('fetch', few),
      manyOurs: ours(many),
      manyModel: bare('doStream', many),
      manyFetch: bare('fetch', many),
    }
    interleaved(1, { ours: ours(few), model: bare('doStream', few), fetch: bare('fetch', few) })
    const samples = interleaved(rounds, subjects)
    const slope = (from, to) => to.map(({ cpuMs }, i) => (cpuMs - from[i].cpuMs) / (many - few))
    const whole = (runs) => runs.map(({ cpuMs }) => cpuMs / many)
    const row = (what, ours, against, reference, target) =>
      makeRow({ line: 'http', what, unit: 'ms', ours, against, reference, ...target })
    const perCall = slope(samples.fewOurs, samples.manyOurs)
    return [
      row('CPU per further call', perCall, 'doStream', slope(samples.fewModel, samples.manyModel), {
        atMost: 1.5,
      }),
      row(
        `CPU per call, whole process of ${many}`,
        whole(samples.manyOurs),
        'doStream',
        whole(samples.manyModel),
        {
          atMost: 1.5,
        },
      ),
      row('CPU per further call', perCall, 'fetch', slope(samples.fewFetch, samples.manyFetch), {}),
    ]
  } finally {
    end()
  }
}

/** A run of so many trials, each one call; throws where one was not whole. */
function runOf(node, url, count) {
  const out = join(temporaryFolder(), 'run')
  const plan = ['--tasks', `native:${taskFolder()}`, '--methods', 'baseline', '--epochs', String(count)]
  const live = ['--mode', 'live', '--agents', 'anthropic:claude-sonnet-4-5', '--allow-unsandboxed']
  const args = [bench, ...plan, ...live, '--parallel', '4', '--out', out]
  const sample = measure({ node, args, env: { ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: url } })
  const recorded = countLines(join(out, 'records.jsonl'))
  if (recorded !== count) throw new Error(`${recorded} of ${count} trials were recorded`)
  return { sample, out }
}

/** What such a run asks, with a mark like its first line. */
function promptOf({ out }) {
  const lines = readFileSync(join(out, 'steps.jsonl'), 'utf8').split('\n')
  return `[0123456789abcdef01234567]\n${JSON.parse(lines.find((line) => line.includes('"kind":"ask"'))).prompt}`
}

/** The model server in a process of its own, whose CPU is nobody's here. */
function startServer(node) {
  const folder = temporaryFolder()
  const script = join(folder, 'script.json')
  const said = join(folder, 'stdout')
  writeFileSync(script, JSON.stringify([{ text: '17 times 23 is 391.\n\nANSWER: 391', always: true }]))
  const stdio = ['ignore', openSync(said, 'w'), 'inherit']
  const child = spawn(node.path, [server, '--script', script], { stdio })
  const until = Date.now() + 30_000
  while (!readFileSync(said, 'utf8').endsWith('\n')) {
    if (Date.now() > until) throw new Error('the model server does not start')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  return { url: JSON.parse(readFileSync(said, 'utf8')).url, end: () => child.kill() }
}
