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

export function bench(args, cwd = root) {
  return output(process.execPath, [join(root, 'dist/bench/cli.cjs'), ...args], cwd)
}

export function git(args) {
  return output('git', args, root)
}

function output(program, args, cwd) {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return stdout
}

export function say(text) {
  process.stdout.write(`${text}\n`)
}
