import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a tool may see of this process: no colours, no test run around it, no files of its own beside the sources. */
const toolEnvironment = () => {
  const { FORCE_COLOR: _, NODE_TEST_CONTEXT: __, NODE_V8_COVERAGE: ___, ...rest } = process.env
  return { ...rest, NO_COLOR: '1', CI: '1', PYTHONDONTWRITEBYTECODE: '1' }
}

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
    if (error?.code === 'ETIMEDOUT')
      return { exitCode: null, output: `${output}\n${file} did not end within ${timeoutMs / 1000} s.` }
    return error ? { exitCode: null, output: `${output}\n${error.message}` } : { exitCode: status, output }
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
