import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Names that other systems cannot have are names all the same. */
const settings = [`core.hooksPath=${devNull}`, 'core.protectNTFS=false', 'core.protectHFS=false'].flatMap(
  (setting) => ['-c', setting],
)

/**
 * Runs git on a repository, and returns what it prints. Nothing of the user's configuration, hooks, attributes or variables takes
 * part, so the same files have the same hashes on each machine.
 */
export function git(repository, words, { env = {}, input = '' } = {}) {
  const options = optionsOf(repository)
  const ended = spawnSync('git', [...settings, ...words], {
    ...options,
    env: { ...options.env, ...env },
    input,
  })
  if (ended.error) throw gitProblem(ended.error, repository)
  if (ended.status === 0) return ended.stdout
  throw new Error(`git ${words.find((word) => /^[a-z-]+$/.test(word))} failed: ${ended.stderr}`.trim())
}

/** Runs git on a repository and writes to it piece by piece. */
export async function feedGit(repository, words, pieces) {
  const child = spawn('git', [...settings, ...words], {
    ...optionsOf(repository),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = new Promise((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', (error) => reject(gitProblem(error, repository)))
  })
  const [fed, exit] = await Promise.allSettled([pipeline(Readable.from(pieces), child.stdin), ended])
  if (exit.status === 'rejected') throw exit.reason
  // What git says explains a pipe that it has closed.
  if (fed.status === 'rejected' && fed.reason.code !== 'EPIPE') throw fed.reason
  if (exit.value !== 0) throw new Error(`git cannot keep the files: ${stderr.trim()}`)
}

function gitProblem(error, repository) {
  if (error.code !== 'ENOENT') return error
  // A folder that is missing has the same code as a program that is.
  if (!existsSync(emptyFolder(repository)))
    return new Error(`${repository} is not the repository of a workflow; use another workflow id`)
  return new Error('git is not installed; install it, since the stage needs it')
}

/** Attributes in the files must not change how git reads them, so its work tree has no files. */
export const emptyFolder = (repository) => join(repository, 'no-files')

const optionsOf = (repository) => ({
  cwd: emptyFolder(repository),
  maxBuffer: 1024 ** 3,
  env: {
    PATH: process.env.PATH,
    HOME: emptyFolder(repository),
    XDG_CONFIG_HOME: emptyFolder(repository),
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_DIR: repository,
    GIT_WORK_TREE: emptyFolder(repository),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_DEFAULT_HASH: 'sha1',
    GIT_TERMINAL_PROMPT: '0',
  },
})
