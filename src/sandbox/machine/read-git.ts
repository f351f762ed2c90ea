import { runToolForBytes, withoutGit, withoutSecrets } from './run-tool.ts'

/** Settings of the repository that could start a program, or fetch what is missing. */
const settings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false', 'safe.directory=*'],
  ...['protocol.allow=never', 'core.commitGraph=false', 'log.showSignature=false'],
].flatMap((setting) => ['-c', setting])

const longestMs = 2 * 60_000
const mostBytes = 256 * 1024 * 1024

/** What git printed, or why it failed: its last line of errors. */
export type GitReading = { output: Buffer } | { failed: string }

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
  const options = { env, input, timeout: longestMs, maxBuffer: mostBytes, stripFinalNewline: false }
  const result = await runToolForBytes('git', ['-C', folder, ...settings, ...args], options)
  if (!result.failed) return { output: result.stdout }
  if (result.code === 'ENOENT') return { failed: 'git is not installed, or the folder is not there' }
  return { failed: result.stderr.trim().split('\n').at(-1) || result.shortMessage }
}
