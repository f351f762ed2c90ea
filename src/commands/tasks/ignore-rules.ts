import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { runTool } from '../../sandbox/machine/run-tool.ts'
import { UserError } from '../../text/errors.ts'

/** What git would not take of a folder, by paths relative to it. */
export interface IgnoreRules {
  /** Reads the rules that stand in a folder; to be called before its entries are asked about. */
  enter(path: string): void
  isIgnored(path: string, isFolder: boolean): boolean
}

/**
 * The ignore rules that hold in a folder: its `.gitignore` files, and where it lies in a repository those above it and
 * `.git/info/exclude`; over the user's own for all repositories. The folder need not be in a repository, and git need not be
 * here.
 */
export async function loadIgnoreRules(folder: string): Promise<IgnoreRules> {
  const real = realpathSync(folder)
  const top = findRepository(real) ?? real
  const inside = relative(top, real).split(sep).filter(Boolean)
  // The folder's own rules are read when it is entered.
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

/** Rules for what is in a folder. One that ignores the folder itself is none of them: whoever names the folder means it. */
function createRules(folder: string, lines: readonly string[]): Ignore {
  const rules = ignore({ ignorecase: ['darwin', 'win32'].includes(process.platform) }).add(lines)
  const against = folder === '' ? undefined : rules.test(`${folder}/`).rule?.pattern
  if (against === undefined) return rules
  const others = lines.filter((line) => line !== against)
  return createRules(folder, others)
}

/** What a folder's own files say, as rules of the top: one list decides then, in which later rules win. */
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
  // A slash at its end says that it is of a folder; any other ties it to the place of its file.
  const isTied = pattern.trimEnd().replace(/\/$/, '').includes('/')
  const below = isTied ? pattern.replace(/^\//, '') : `**/${pattern}`
  return [`${isNegative ? '!' : ''}/${escapePath(folder)}/${below}`]
}

const escapePath = (path: string) => path.replace(/[\\*?[\]!# ]/g, '\\$&')

function findRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

/** `info/exclude` of a repository; of a worktree or submodule, whose `.git` is a file that says where, that of its repository. */
function excludeFile(repository: string): string {
  const git = join(repository, '.git')
  if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) return join(git, 'info/exclude')
  const pointer = /^gitdir: (.+)$/m.exec(readLines(git).join('\n'))?.[1]
  const folder = resolve(repository, pointer ?? '.git')
  const common = readLines(join(folder, 'commondir'))[0]
  return join(resolve(folder, common ?? '.'), 'info/exclude')
}

/** The user's rules for all repositories: `core.excludesFile`, or where git looks by itself. */
async function userIgnoreFile(folder: string): Promise<string> {
  const args = ['config', '--type=path', '--get', 'core.excludesFile']
  const { failed, stdout } = await runTool('git', args, { cwd: folder, timeout: 5000 })
  const set = failed ? '' : stdout
  if (set !== '') return resolve(folder, set)
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/ignore')
}

/** Throws `UserError` where rules are there and cannot be read: without them more would be taken than the user means. */
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
    throw new UserError({ where: file, what: `holds ignore rules and cannot be read (${code})`, fix })
  }
}
