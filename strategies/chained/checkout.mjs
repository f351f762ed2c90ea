import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { isWork, listWork } from './work-files.mjs'

/**
 * Returns the paths of a folder's files that are work: of a git checkout, those that git has or that it does not ignore. Runs of
 * bench are no work.
 */
export function pathsIn(folder) {
  const known = new Map()
  const isInRun = (path) => {
    const parent = dirname(path)
    if (parent === '.') return false
    if (!known.has(parent)) known.set(parent, isRun(join(folder, parent)) || isInRun(parent))
    return known.get(parent)
  }
  return listPaths(folder).filter((path) => !isInRun(path))
}

function isRun(folder) {
  const manifest = join(folder, 'run.json')
  if (!existsSync(manifest)) return false
  if (['steps.jsonl', 'records.jsonl'].some((name) => existsSync(join(folder, name)))) return true
  try {
    return typeof JSON.parse(readFileSync(manifest, 'utf8')).schemaVersion === 'number'
  } catch {
    return false
  }
}

function listPaths(folder) {
  const listed = askGit(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  if (listed === undefined || (listed === '' && isIgnored(folder)))
    return listWork(folder).map(({ path }) => path)
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '' && isWork(path))
  const odd = paths.find((path) => path.includes('\uFFFD'))
  if (odd !== undefined) throw new Error(`the name of ${odd} is not UTF-8; rename it`)
  return paths
}

/** Whether git passes over the whole folder. Its files are no less work for that. */
const isIgnored = (folder) => placeInCheckout(folder) !== '' && askGit(folder, ['check-ignore', '.']) !== ''

/** Where a folder lies in its checkout: empty at the top or without one, else with `/` at the end. */
export const placeInCheckout = (folder) =>
  (askGit(folder, ['rev-parse', '--show-prefix']) ?? '').replace(/\n$/, '')

/** Asks the git of the user's folder, and changes nothing there. Returns undefined where there is none. */
function askGit(folder, words) {
  // A hook of git runs with variables that name its repository.
  const isOwn = (name) => !/^GIT_(?!CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$|CEILING_DIRECTORIES$)/.test(name)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isOwn(name)))
  const settings = ['core.fsmonitor=false', `core.hooksPath=${devNull}`].flatMap((setting) => ['-c', setting])
  const ended = spawnSync('git', [...settings, ...words], {
    cwd: folder,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    maxBuffer: 1024 ** 3,
  })
  // `check-ignore` ends with 1 where nothing is ignored.
  if (ended.status === 0 || (ended.status === 1 && words[0] === 'check-ignore'))
    return ended.stdout.toString()
  if (ended.error?.code === 'ENOENT' || /not a git repository/.test(ended.stderr)) return undefined
  throw new Error(`git cannot list the files of ${folder}: ${ended.error?.message ?? ended.stderr}`.trim())
}
