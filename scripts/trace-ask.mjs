// Shows which files run during one simulated ask, from the method to the agent and back: the files to read in order to
// understand an ask. V8's coverage reports them for the compiled modules. Of all asks of a trial that run no check, it shows
// the one with the most files.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptOptions } from './script-options.mjs'

const most = { files: 47, loop: 19 }
const dist = new URL('../dist/', import.meta.url)

const { method, task, run } = scriptOptions(
  'npm run trace:ask -- [--method sequential] [--task money-split]',
  {
    method: { type: 'string', default: 'sequential' },
    task: { type: 'string', default: 'money-split' },
    run: { type: 'boolean' },
  },
)

if (run) await traceRun()
else report(tracedAsks())

/** Runs the trial in a separate process and returns its asks. */
function tracedAsks() {
  const args = [fileURLToPath(import.meta.url), '--run', '--method', method, '--task', task]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const line = stdout.split('\n').find((text) => text.startsWith('{"asks":'))
  if (status !== 0 || !line) {
    process.stderr.write(stderr || stdout)
    process.exit(1)
  }
  return JSON.parse(line).asks
}

function report(asks) {
  const plain = asks.filter(({ files }) => !files.some((file) => file.startsWith('src/sandbox/')))
  if (plain.length === 0) {
    process.stderr.write(
      `every ask of ${method} on ${task} runs a check; choose another --method or --task\n`,
    )
    process.exit(1)
  }
  const { role, files } = plain.reduce((longest, ask) =>
    ask.files.length > longest.files.length ? ask : longest,
  )
  const inLoop = files.filter((file) => file.startsWith('src/loop/')).length
  process.stdout.write(`${files.map((file) => `${file}.ts\n`).join('')}
ask of ${role}, the longest of ${plain.length} without a check in ${method} on ${task}
files: ${files.length} (at most ${most.files})
of them in src/loop: ${inLoop} (at most ${most.loop})
`)
  process.exitCode = files.length > most.files || inLoop > most.loop ? 1 : 0
}

async function traceRun() {
  const session = new Session()
  session.connect()
  const post = (name, params) => {
    let answer
    session.post(name, params, (error, result) => {
      if (error) throw error
      answer = result
    })
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  /** Returns the modules in which a function was called since the last call of `passed`. */
  const passed = () =>
    post('Profiler.takePreciseCoverage')
      .result.filter(({ url }) => url.startsWith(dist.href))
      // The function that starts at offset 0 is the module itself, which runs when it is loaded.
      .filter(({ functions }) =>
        functions.some(({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0),
      )
      .map(({ url }) => url.slice(dist.href.length).replace(/\.js$/, ''))
      .sort()

  const asks = []
  const { strategies } = await import(new URL('strategies/index.js', dist))
  const strategy = strategies.find(({ name }) => name === method)
  const { run } = strategy
  strategy.run = (context) =>
    run({
      ...context,
      async ask(role, ...rest) {
        passed()
        const reply = await context.ask(role, ...rest)
        asks.push({ role, files: passed() })
        return reply
      },
    })
  const folder = mkdtempSync(join(tmpdir(), 'trace-ask-'))
  process.env.ORCHESTRATION_BENCH_CACHE = join(folder, 'cache')
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true })
    process.stdout.write(`\n${JSON.stringify({ asks })}\n`)
  })
  process.argv.splice(
    2,
    process.argv.length,
    'run',
    '--tasks',
    task,
    '--methods',
    method,
    '--parallel',
    '1',
    '--out',
    join(folder, 'run'),
  )
  await import(new URL('src/cli.js', dist))
}
