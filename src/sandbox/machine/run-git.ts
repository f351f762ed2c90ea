import { runTool, withoutGit, withoutSecrets } from './run-tool.ts'

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
export async function runGit(args: readonly string[], input = ''): Promise<void> {
  const env = {
    ...withoutGit(withoutSecrets()),
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    // Versions of git that do not know the first of these variables look here.
    ...{ HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/null' },
  }
  const result = await runTool('git', [...settings, ...args], { env, input, timeout: longestMs })
  if (!result.failed) return
  const reason = result.stderr.trim().split('\n').at(-1) || result.shortMessage
  throw new GitError(reason, result.signal)
}
