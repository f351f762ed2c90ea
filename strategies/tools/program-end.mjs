import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureSaving } from './saving.ts'

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
