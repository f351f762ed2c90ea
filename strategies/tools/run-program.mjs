import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { constants, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureSaving, rawOutput } from './output-text.ts'
import { hidePlaces } from './steady-text.ts'

/**
 * What a tool may see of this process: no colours, no test run around it, no files of its own beside the sources, and what else
 * makes two runs print the same: one width of lines, one order of Python's sets.
 */
const toolEnvironment = () => {
  const { FORCE_COLOR: _, NODE_TEST_CONTEXT: __, NODE_V8_COVERAGE: ___, ...rest } = process.env
  return { ...rest, NO_COLOR: '1', CI: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0', COLUMNS: '80' }
}

/** Returns what a tool printed or wrote, without the places of this machine. */
export const withoutPlaces = (text) =>
  hidePlaces(text, {
    workspace: process.cwd(),
    temporary: [...new Set([realpathSync(tmpdir()), tmpdir()])],
    home: homedir(),
  })

/** What must be ended or removed when this process ends early. */
const cleanups = new Set()

async function cleaningUp(cleanUp, use) {
  cleanups.add(cleanUp)
  try {
    return await use()
  } finally {
    cleanups.delete(cleanUp)
    cleanUp()
  }
}

function endEarly(code) {
  // Programs first: they write into the folders, which are older.
  for (const cleanUp of [...cleanups].reverse()) cleanUp()
  process.exit(code)
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, () => endEarly(128 + constants.signals[name]))
// Whoever started this process with a channel is gone.
if (process.channel) {
  process.once('disconnect', () => endEarly(1))
  process.channel.unref()
}

/** Calls `use` with a folder outside of the workspace, and removes it afterwards. */
export async function withTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tool-'))
  return await cleaningUp(
    () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
    () => use(folder),
  )
}

/**
 * Starts a program in a process group that this process leads, tells how it ended over its channel, and ends the group when the
 * channel is lost: also where the tool was killed and could end nothing itself.
 */
const guard = `
const [file, ...words] = process.argv.slice(1)
const child = require('node:child_process').spawn(file, words, { stdio: ['ignore', 'inherit', 'inherit'] })
child.on('error', ({ message }) => process.send({ message }))
child.on('exit', (status) => process.send({ status }))
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
`

/**
 * Runs a program, and returns how it ended and what it printed. `exitCode` is null if something ended it. Output goes to a file:
 * nobody waits for a process that keeps a pipe open.
 */
export async function runProgram([file, ...words], timeoutMs) {
  return await withTemporaryFolder(async (folder) => {
    const path = join(folder, 'output')
    const to = openSync(path, 'a')
    const child = spawn(process.execPath, ['-e', guard, '--', file, ...words], {
      env: toolEnvironment(),
      stdio: ['ignore', to, to, 'ipc'],
      detached: true,
    })
    closeSync(to)
    const { status = null, message } = await cleaningUp(
      () => endGroup(child.pid),
      () => endOf(child, file, timeoutMs),
    )
    const output = readFileSync(path, 'utf8')
    return {
      exitCode: status,
      output: withoutPlaces(message === undefined ? output : `${output}\n${message}`),
    }
  })
}

/** Waits until a guarded program has ended, for as long as it may take. */
function endOf(child, file, timeoutMs) {
  return new Promise((resolve) => {
    const late = { message: `${file} did not end within ${timeoutMs / 1000} s.` }
    const timer = setTimeout(resolve, timeoutMs, late)
    const end = (how) => {
      clearTimeout(timer)
      resolve(how)
    }
    child.on('message', end)
    child.on('error', ({ message }) => end({ message }))
    child.on('exit', () => end({}))
  })
}

/** Ends a program with what it started and left behind. */
function endGroup(pid) {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}

/** Prints a report as one line of JSON. The exit code is 0 for success, else 1. */
export function endWith(report) {
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exitCode = report.success ? 0 : 1
}

/** Writes what the report saves against the output of `tool` into a file, if one is asked for and something ran. */
export function writeSaving(path, tool, output, report) {
  if (path === undefined || output === undefined) return
  const { rawTokens, compactTokens } = measureSaving(output, report)
  try {
    writeFileSync(path, `${JSON.stringify({ tool, rawTokens, compactTokens })}\n`)
  } catch (error) {
    process.stderr.write(`--saving ${path} cannot be written: ${error.message}\n`)
    process.exitCode = 1
  }
}

/** Writes what a tool printed, as equal runs print it, into a file, if one is asked for and something ran. */
export function writeOutput(path, output) {
  if (path === undefined || output === undefined) return
  try {
    writeFileSync(path, rawOutput('', output).text)
  } catch (error) {
    process.stderr.write(`--output ${path} cannot be written: ${error.message}\n`)
    process.exitCode = 1
  }
}

/** Reads the flags of a program, all with a value; prints `usage` and ends for --help and for what it does not know. */
export function readFlags(usage, names) {
  const options = {
    help: { type: 'boolean' },
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  }
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (!values.help) return { ...values, words: positionals }
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  } catch (error) {
    refuse(usage, error.message)
  }
}

/** Ends with a person's mistake: what is wrong, and the usage. */
export function refuse(usage, message) {
  process.stderr.write(`${message}\n${usage}\n`)
  process.exit(1)
}

/** Reads a time limit in seconds; ten minutes if there is none. */
export function timeoutOf(usage, seconds = '600') {
  const value = Number(seconds)
  if (!(value > 0 && value <= 86_400))
    refuse(usage, `--timeout ${seconds} is no number of seconds up to 86400.`)
  return value * 1000
}
