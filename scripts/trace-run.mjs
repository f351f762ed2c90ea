// Counts the files of src and strategies that one run enters, as V8's coverage reports them for the compiled modules: files with
// a function that is called after they are loaded. A reader of the run would meet these.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const most = 405
const runs = 2
const dist = new URL('../dist/', import.meta.url)
const script = fileURLToPath(import.meta.url)

if (process.argv[2] === '--run') await traceRun()
else {
  const cache = mkdtempSync(join(tmpdir(), 'trace-cache-'))
  process.once('exit', () => rmSync(cache, { recursive: true, force: true }))
  // Whatever this machine has cached: the first run fills the cache, the others find it filled.
  report(Array.from({ length: 1 + runs }, () => tracedFiles(cache)).slice(1))
}

/** Executes the run in a separate process and returns the files that it entered. */
function tracedFiles(cache) {
  const env = { ...process.env, ORCHESTRATION_BENCH_CACHE: cache }
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--run'], { encoding: 'utf8', env })
  const line = stdout.split('\n').find((text) => text.startsWith('{"files":'))
  if (status !== 0 || !line) {
    process.stderr.write(stderr || stdout)
    process.exit(1)
  }
  return JSON.parse(line).files
}

function report(traces) {
  const counts = traces.map((files) => files.length)
  process.stdout.write(`${traces[0].map((file) => `${file}.ts\n`).join('')}
files: ${counts.join(', ')} in ${runs} runs (at most ${most})
`)
  process.exitCode = counts.some((count) => count > most || count !== counts[0]) ? 1 : 0
}

async function traceRun() {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const folder = mkdtempSync(join(tmpdir(), 'trace-run-'))
  process.once('exit', () => {
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      process.stdout.write(`\n${JSON.stringify({ files: result.filter(isEntered).map(nameOf).sort() })}\n`)
    })
    rmSync(folder, { recursive: true, force: true })
  })
  const plan = ['--tasks', 'money-split', '--methods', 'sequential,baseline', '--parallel', '1']
  process.argv.splice(2, process.argv.length, 'run', ...plan, '--quiet', '--out', join(folder, 'run'))
  await import(new URL('src/commands/run.js', dist))
  // What modules call while they are loaded is no part of the run.
  session.post('Profiler.takePreciseCoverage')
  await import(new URL('src/cli.js', dist))
}

function isEntered({ url, functions }) {
  // The function that starts at offset 0 is the module itself.
  return (
    url.startsWith(dist.href) &&
    functions.some(({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0)
  )
}

function nameOf({ url }) {
  return url.slice(dist.href.length).replace(/\.js$/, '')
}
