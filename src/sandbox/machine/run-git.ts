import { execFile } from 'node:child_process'
import { withoutGit, withoutSecrets } from './run-tool.ts'

/** Git could not be started, or failed. */
export class GitError extends Error {
  /** The signal that ended it. */
  readonly signal: NodeJS.Signals | undefined
  constructor(message: string, signal: NodeJS.Signals | undefined) {
    super(message)
    this.name = 'GitError'
    this.signal = signal
  }
}

/** Settings that nothing among the user's replaces. */
const settings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'commit.gpgSign=false'],
  ...['core.autocrlf=false', 'core.ignoreCase=false'],
].flatMap((setting) => ['-c', setting])

/** A folder on a slow network may take its time. */
const longestMs = 10 * 60_000

/** Runs git without the user's settings, hooks, keys and variables, so that it does the same for everybody. Throws `GitError`. */
export function runGit(args: readonly string[], input = ''): Promise<void> {
  const env = {
    ...withoutGit(withoutSecrets()),
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    // Versions of git that do not know the first of these variables look here.
    ...{ HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/null' },
  }
  return new Promise((resolve, reject) => {
    const child = execFile('git', [...settings, ...args], { env, timeout: longestMs }, (error, _, stderr) => {
      if (!error) return resolve()
      const reason = stderr.trim().split('\n').at(-1) || error.message
      reject(new GitError(reason, error.signal ?? undefined))
    })
    // Git may end before it has read everything; its exit code says so.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
