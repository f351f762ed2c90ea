// Measures what the harness adds to a call over HTTP: runs of one call a trial, beside the vendor's model object alone.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { bench, growth, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { checkLines, taskFolder } from './simulated-run.mjs'

const few = 100
const many = 600

export async function http(rounds) {
  const server = await startServer()
  try {
    const prompt = join(temporaryFolder(), 'prompt.txt')
    writeFileSync(prompt, promptOf((await runOver(server.url, 1)).out))
    const run = (count) => async () => (await runOver(server.url, count)).sample
    const model = (count) => () =>
      measure({ args: [pathOf('http-calls.mjs'), server.url, String(count), prompt] })
    const samples = await inTurn(rounds, {
      fewOurs: run(few),
      fewModel: model(few),
      manyOurs: run(many),
      manyModel: model(many),
    })
    const ours = growth('cpuMs', samples.fewOurs, samples.manyOurs, many - few)
    const theirs = growth('cpuMs', samples.fewModel, samples.manyModel, many - few)
    return [makeRow('a further call over HTTP, CPU', 'ms', ours, 'doStream', theirs, { atMost: 1.6 })]
  } finally {
    await server.end()
  }
}

/** Runs this number of trials, one call each, four in parallel. */
async function runOver(url, count) {
  const out = join(temporaryFolder(), 'run')
  const plan = ['--tasks', `native:${taskFolder()}`, '--methods', 'baseline', '--epochs', String(count)]
  const live = ['--mode', 'live', '--agents', 'anthropic:claude-sonnet-4-5', '--allow-unsandboxed']
  const args = [bench, ...plan, ...live, '--parallel', '4', '--out', out]
  const sample = await measure({ args, env: { ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: url } })
  checkLines(join(out, 'records.jsonl'), count)
  return { sample, out }
}

/** Returns the prompt of such a run, with a mark like its first line. */
function promptOf(run) {
  const lines = readFileSync(join(run, 'steps.jsonl'), 'utf8').split('\n')
  const { prompt } = JSON.parse(lines.find((line) => line.includes('"kind":"ask"')))
  return `[0123456789abcdef01234567]\n${prompt}`
}

/** The tests' model server in a process of its own, whose CPU counts on neither side. */
async function startServer() {
  const script = join(temporaryFolder(), 'script.json')
  writeFileSync(script, JSON.stringify([{ text: '17 times 23 is 391.\n\nANSWER: 391', always: true }]))
  const program = pathOf('../../test/model-server/main.mjs')
  const server = execa(process.execPath, [program, '--script', script], { buffer: false, reject: false })
  const [line] = await once(server.stdout, 'data')
  const end = async () => {
    server.kill()
    await server
  }
  return { url: JSON.parse(line).url, end }
}
