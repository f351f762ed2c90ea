import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { runTool } from '../../sandbox/machine/run-tool.ts'
import { UserError } from '../../text/errors.ts'

/** Rules for the paths that git ignores in a folder. Paths are relative to it. */
export interface IgnoreRules {
  /** Reads the rules of a folder. Call it before `isIgnored` for an entry of that folder. */
  enter(path: string): void
  isIgnored(path: string, isFolder: boolean): boolean
}

/**
 * Loads the ignore rules of a folder: its `.gitignore` files, those above it in its repository, `.git/info/exclude`, and the
 * user's rules for all repositories, which the others override. Works outside a repository and without git.
 */
export async function loadIgnoreRules(folder: string): Promise<IgnoreRules> {
  const real = realpathSync(folder)
  const top = findRepository(real) ?? real
  const inside = relative(top, real).split(sep).filter(Boolean)
  // `enter` reads the rules of the folder itself.
  const above = [
    ...readLines(await userIgnoreFile(real)),
    ...inside.flatMap((_, i) => rulesIn(top, inside.slice(0, i).join('/'))),
  ]
  const rules = createRules(inside.join('/'), above)
  const from = (path: string) => [...inside, ...(path === '' ? [] : [path])].join('/')
  return {
    enter: (path) => void rules.add(rulesIn(top, from(path))),
    isIgnored: (path, isFolder) => rules.ignores(`${from(path)}${isFolder ? '/' : ''}`),
  }
}

/** Creates rules for the contents of a folder. Drops a rule that ignores the folder itself, because the user named the folder. */
function createRules(folder: string, lines: readonly string[]): Ignore {
  const rules = ignore({ ignorecase: ['darwin', 'win32'].includes(process.platform) }).add(lines)
  const against = folder === '' ? undefined : rules.test(`${folder}/`).rule?.pattern
  if (against === undefined) return rules
  const others = lines.filter((line) => line !== against)
  return createRules(folder, others)
}

/** Returns the rules of a folder's own files, rewritten relative to the top folder: in one list, later rules win. */
function rulesIn(top: string, folder: string): string[] {
  const place = join(top, folder)
  const lines = [
    ...(existsSync(join(place, '.git')) ? readLines(excludeFile(place)) : []),
    ...readLines(join(place, '.gitignore')),
  ]
  return folder === '' ? lines : lines.flatMap((line) => rebaseRule(line, folder))
}

function rebaseRule(line: string, folder: string): string[] {
  if (line.trim() === '' || line.startsWith('#')) return []
  const isNegative = line.startsWith('!')
  const pattern = isNegative ? line.slice(1) : line
  // A trailing slash means a folder; any other slash anchors the pattern to the folder of its file.
  const isAnchored = pattern.trimEnd().replace(/\/$/, '').includes('/')
  const below = isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`
  return [`${isNegative ? '!' : ''}/${escapePath(folder)}/${below}`]
}

const escapePath = (path: string) => path.replace(/[\\*?[\]!# ]/g, '\\$&')

function findRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

/** Returns the path of `info/exclude`. In a worktree or submodule, `.git` is a file that points to its repository. */
function excludeFile(repository: string): string {
  const git = join(repository, '.git')
  if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) return join(git, 'info/exclude')
  const pointer = /^gitdir: (.+)$/m.exec(readLines(git).join('\n'))?.[1]
  const folder = resolve(repository, pointer ?? '.git')
  const common = readLines(join(folder, 'commondir'))[0]
  return join(resolve(folder, common ?? '.'), 'info/exclude')
}

/** Returns the file of the user's rules for all repositories: `core.excludesFile`, or git's default. */
async function userIgnoreFile(folder: string): Promise<string> {
  const args = ['config', '--type=path', '--get', 'core.excludesFile']
  const { failed, stdout } = await runTool('git', args, { cwd: folder, timeout: 5000 })
  const set = failed ? '' : stdout
  if (set !== '') return resolve(folder, set)
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/ignore')
}

function readLines(file: string): string[] {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return []
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    const fix = 'Make it readable, or remove it.'
    throw new UserError({ where: file, what: `has ignore rules but cannot be read (${code})`, fix })
  }
}
