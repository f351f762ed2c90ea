// What the scripts that publish runs share.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
/** The files of a run folder that are published: those that reports, `show` and `replay` read. */
export const runFiles = ['run.json', 'records.jsonl', 'steps.jsonl', 'sessions.jsonl']

/**
 * Lines of a file without what may differ between two equal runs: how long it took, how well code was held here, and the
 * order in which branches that were open together wrote their steps.
 */
export function sameAnywhere(path) {
  const text = readFileSync(path, 'utf8')
  const lines = text
    .replace(/,"wall":\{[^{}]*\}\}$/gm, '}')
    .replace(/,"sandbox":"\w+"/g, '')
    .split('\n')
  return lines.sort().join('\n')
}

export function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

export function bench(args, cwd = root, exitCodes = [0]) {
  return output(process.execPath, [join(root, 'dist/bench/cli.cjs'), ...args], cwd, exitCodes)
}

/** The first screen of a report as text: all before its tables. */
export function firstScreen(report) {
  const lines = report.split('\n')
  const end = lines.indexOf('Each method in detail')
  if (end < 0) throw new Error('the report has no table "Each method in detail"')
  return lines.slice(0, end).join('\n').trim()
}

/** The text of the file at a path with other text between its marks. */
export function betweenMarks(text, path, mark, change) {
  const marks = new RegExp(`(<!-- ${mark} -->\n\n)([\\s\\S]*?)(\n\n<!-- /${mark} -->)`)
  if (!marks.test(text)) throw new Error(`${path} has lost its marks <!-- ${mark} -->`)
  return text.replace(marks, (_, begin, between, end) => `${begin}${change(between)}${end}`)
}

export function git(args) {
  return output('git', args, root)
}

function output(program, args, cwd, exitCodes = [0]) {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (!exitCodes.includes(status))
    throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return stdout
}

export function say(text) {
  process.stdout.write(`${text}\n`)
}
