import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hidePlaces } from '../steady-text.ts'

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

/** Calls `use` with a folder outside of the workspace, and removes it afterwards. */
export function withTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tool-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a program, and returns how it ended and what it printed. `exitCode` is null if something ended it. Output goes to a file:
 * nobody waits for a process that keeps a pipe open.
 */
export function runProgram([file, ...words], timeoutMs) {
  return withTemporaryFolder((folder) => {
    const path = join(folder, 'output')
    const to = openSync(path, 'a')
    const { status, error, pid } = spawnSync(file, words, {
      env: toolEnvironment(),
      stdio: ['ignore', to, to],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      detached: true,
    })
    closeSync(to)
    endLeftovers(pid)
    const output = readFileSync(path, 'utf8')
    const why =
      error?.code === 'ETIMEDOUT' ? `${file} did not end within ${timeoutMs / 1000} s.` : error?.message
    return { exitCode: error ? null : status, output: withoutPlaces(error ? `${output}\n${why}` : output) }
  })
}

/** Ends what the program started and left behind. */
function endLeftovers(pid) {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}
