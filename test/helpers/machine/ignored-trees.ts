import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { seededRandom } from '../../../src/base/random.ts'
import { readWorkspace } from '../../../src/commands/tasks/workspace-files.ts'
import { tableOf } from '../house/tables.ts'

/** Files of a tree by path, `.gitignore` files and `.git/info/exclude` among them. */
export type Tree = Readonly<Record<string, string>>

const names = tableOf<string[]>(import.meta.url, 'names')
const parts = [
  ...names.map((name) => name.replace(/^[#!]/, '\\$&')),
  ...[
    '*',
    '**',
    '?',
    '*.txt',
    'a*',
    '*b',
    '[ab]',
    '[!a]*',
    '[a-c]',
    'b?',
    '\\[a\\]',
    'a\\*',
    '*.*',
    '.*',
    '[^b]',
    'fo[o]*',
  ],
]

/** A tree and rules that nobody would write by hand, the same for each seed. */
export function ignoredTree(seed: number): Tree {
  const random = seededRandom(`ignored/${seed}`)
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const chance = (share: number) => random() < share
  const tree: Record<string, string> = {}
  const folders = ['']
  for (let i = 0; i < 5; i++) folders.push(join(pick(folders), pick(names)))
  for (let i = 0; i < 14; i++) tree[join(pick(folders), pick(names))] = 'text\n'
  const pattern = () => {
    const depth = chance(0.6) ? 1 : chance(0.7) ? 2 : 3
    const path = Array.from({ length: depth }, () => pick(parts)).join('/')
    const line = `${chance(0.25) ? '!' : ''}${chance(0.2) ? '/' : ''}${path}${chance(0.25) ? '/' : ''}`
    return chance(0.05) ? `${line}  ` : chance(0.05) ? `# ${line}` : line
  }
  const rules = () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, pattern).join(chance(0.1) ? '\r\n' : '\n')
  tree['.gitignore'] = rules()
  if (chance(0.3)) tree['.git/info/exclude'] = `${rules()}\n`
  for (const folder of folders) if (chance(0.4)) tree[join(folder, '.gitignore')] = `${rules()}\n`
  // A path that is a folder of another one cannot be a file.
  const all = Object.keys(tree)
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !all.some((one) => one.startsWith(`${path}/`))),
  )
}

/** Writes a tree as a repository. Returns the files of a folder in it that git and bench would take. */
export async function takenOf(
  place: string,
  tree: Tree,
  folder = '',
): Promise<{ git: string[]; bench: string[] }> {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  execFileSync('git', ['init', '-q', place])
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  const cwd = join(place, folder)
  const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], {
    cwd,
    encoding: 'utf8',
  })
  const git = listed.split('\0').filter(Boolean).sort()
  return { git, bench: Object.keys((await readWorkspace(cwd, [])).files).sort() }
}
