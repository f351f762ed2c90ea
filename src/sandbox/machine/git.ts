import { runTool, runToolForBytes, withoutGit, withoutSecrets } from './run-tool.ts'

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

/** Settings of the repository that could start a program, or fetch what is missing. */
const readSettings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false', 'safe.directory=*'],
  ...['protocol.allow=never', 'core.commitGraph=false', 'log.showSignature=false'],
].flatMap((setting) => ['-c', setting])

const longestReadMs = 2 * 60_000
const mostBytes = 256 * 1024 * 1024

/** What git printed, or why it failed: its last line of errors. */
type GitReading = { output: Buffer } | { failed: string }

/**
 * Asks git about a repository of the user without changing it: no lock, hook, filter, fetch or setting of the user. Only for
 * commands that read.
 */
export async function readGit(folder: string, args: readonly string[], input = ''): Promise<GitReading> {
  const env = {
    ...withoutGit(withoutSecrets()),
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    ...{ GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1' },
  }
  const options = { env, input, timeout: longestReadMs, maxBuffer: mostBytes, stripFinalNewline: false }
  const result = await runToolForBytes('git', ['-C', folder, ...readSettings, ...args], options)
  if (!result.failed) return { output: result.stdout }
  if (result.code === 'ENOENT') return { failed: 'git is not installed, or the folder is not there' }
  return { failed: result.stderr.trim().split('\n').at(-1) || result.shortMessage }
}
