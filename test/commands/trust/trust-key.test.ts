import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import { configTaskProblems } from '../../../src/commands/trust/config-tasks.ts'
import { documentPowers } from '../../../src/commands/trust/document-powers.ts'
import {
  foreignConfig,
  isRemembered,
  isShipped,
  remember,
  trustKey,
} from '../../../src/commands/trust/require-trust.ts'
import { namedFileProblem } from '../../../src/sandbox/folders/named-file.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const keyOf = (text: string) => trustKey(foreignConfig(parseConfig(text, 'c')))

describe('what is allowed is a digest', () => {
  it('of the text: another comment asks again', () => {
    const text = 'providers: { openai: { keyVariable: TOKEN } }\n'
    expect(keyOf(text)).toBe(keyOf(text))
    expect(keyOf(`${text}# more\n`)).not.toBe(keyOf(text))
  })

  it.each([
    ['a module', (file: string) => `agents: { a: "scripted:${file}" }`],
    ['a strategy', (file: string) => `methods: { a: { strategy: ${file} } }`],
    ['a word of a command', (file: string) => `notify: [node, ${file}]`],
    ['a prompt', (file: string) => `methods: { a: { strategy: baseline, options: { prompt: ${file} } } }`],
  ])('and of %s that it names, and of what that imports', (kind, config) => {
    const folder = tempFolder()
    const file = join(folder, 'code.mjs')
    writeFileSync(join(folder, 'other.mjs'), 'export const a = 1\n')
    writeFileSync(file, "import './other.mjs'\n")
    const before = keyOf(config(file))
    expect(keyOf(config(file))).toBe(before)
    writeFileSync(file, "import './other.mjs' // changed\n")
    const changed = keyOf(config(file))
    expect(changed).not.toBe(before)
    writeFileSync(join(folder, 'other.mjs'), 'export const a = 2\n')
    expect(keyOf(config(file)), kind).not.toBe(changed)
  })
})

describe('a shipped document is trusted by its content', () => {
  const path = join(packageRoot(), 'strategies/dag/remote.yaml')
  const foreign = (text: string) => ({ name: 'x', texts: [text], powers: documentPowers(text, 'x') })

  it('wherever its copy lies, and not if it is changed', () => {
    const text = readFileSync(path, 'utf8')
    expect(foreign(text).powers.map(({ kind }) => kind)).toContain('address')
    expect(isShipped(foreign(text))).toBe(true)
    expect(isShipped(foreign(`${text}\n`))).toBe(false)
  })
})

describe('the answer', () => {
  beforeEach(() => {
    const restore = keepEnvironment()
    const cwd = process.cwd()
    return () => {
      process.chdir(cwd)
      restore()
    }
  })

  /** A cache folder of the user's own, and a project as the working folder. */
  function own() {
    const cache = tempFolder()
    process.env.ORCHESTRATION_BENCH_CACHE = cache
    process.chdir(tempFolder())
    return cache
  }

  it('is kept in the user’s own folder, and nobody else may read or write it', () => {
    const cache = own()
    expect(isRemembered('k')).toBe(false)
    remember('k', 'c\n')
    expect(isRemembered('k')).toBe(true)
    expect(isRemembered('other')).toBe(false)
    expect(statSync(join(cache, 'trusted/k')).mode & 0o777).toBe(0o600)
    expect(statSync(join(cache, 'trusted')).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['in the project', '.', '.cache'],
    ['in the project, by its whole path', '.', join('{cwd}', 'cache')],
    ['in the repository around the working folder', 'inner', '../.cache'],
    ['in the project, under a name that begins with dots', '.', '..cache'],
  ])('counts for nothing %s, since the project could bring it', (_, folder, cache) => {
    const project = tempFolder()
    mkdirSync(join(project, '.git'))
    mkdirSync(join(project, 'inner'), { recursive: true })
    process.chdir(join(project, folder))
    process.env.ORCHESTRATION_BENCH_CACHE = cache.replace('{cwd}', process.cwd())
    const trusted = join(process.env.ORCHESTRATION_BENCH_CACHE, 'trusted')
    mkdirSync(trusted, { recursive: true, mode: 0o700 })
    writeFileSync(join(trusted, 'k'), '', { mode: 0o600 })
    expect(isRemembered('k')).toBe(false)
    remember('k2', 'c\n')
    expect(existsSync(join(trusted, 'k2'))).toBe(false)
  })

  it('counts for nothing if it is a link, or if others may write it or its folder', () => {
    const cache = own()
    remember('k', 'c\n')
    const file = join(cache, 'trusted/k')
    symlinkSync(file, join(cache, 'trusted/link'))
    expect(isRemembered('link')).toBe(false)
    chmodSync(file, 0o620)
    expect(isRemembered('k')).toBe(false)
    chmodSync(file, 0o600)
    expect(isRemembered('k')).toBe(true)
    chmodSync(join(cache, 'trusted'), 0o777)
    expect(isRemembered('k')).toBe(false)
  })
})

describe('a file that a document names', () => {
  it.each([
    ['../x', /no path inside of the working folder/],
    ['/etc/passwd', /no path inside/],
    ['a/../../x', /no path inside/],
    ['.git/config', /version control/],
    ['.GIT /config', /version control/],
    ['C:\\x', /no path inside/],
    ['out.txt', /a link leads out of it/],
    ['away/x.txt', /a link leads out of it/],
    ['.env', /named like a key/],
    ['sub/.env.local', /named like a key/],
    ['.ssh/config', /named like a key/],
    ['id_rsa', /named like a key/],
    ['notes.txt', /named like a key/],
    ['config.txt', /version control/],
    ['nowhere.txt', /a link that leads to no file/],
  ])('%s is refused', (path, what) => {
    const folder = tempFolder()
    const outside = tempFolder()
    writeFileSync(join(outside, 'x.txt'), 'x')
    writeFileSync(join(folder, '.env'), 'KEY=x')
    symlinkSync(join(outside, 'x.txt'), join(folder, 'out.txt'))
    symlinkSync(outside, join(folder, 'away'))
    symlinkSync('.env', join(folder, 'notes.txt'))
    symlinkSync('gone.txt', join(folder, 'nowhere.txt'))
    mkdirSync(join(folder, '.git'))
    writeFileSync(join(folder, '.git/config'), 'x')
    symlinkSync('.git/config', join(folder, 'config.txt'))
    expect(namedFileProblem(folder, path)?.what).toMatch(what)
  })

  it.each([
    ['csv:/outside.csv', /\/outside\.csv is no path inside/],
    ['lamp-paths,csv:../x.csv?answer=a:20', /no path inside/],
    ['csv:link.csv', /a link leads out of it/],
    ['csv:data', /data\/deep\/x\.csv is no path inside of the working folder: a link leads out/],
    ['jsonl:.env', /named like a key/],
    ['csv:.git/config', /version control/],
  ])('%s is refused in run.tasks of a config file', (tasks, what) => {
    const before = process.cwd()
    const outside = join(tempFolder(), 'x.csv')
    writeFileSync(outside, 'question,answer\n1,2\n')
    process.chdir(tempFolder())
    onTestFinished(() => process.chdir(before))
    mkdirSync('data/deep', { recursive: true })
    for (const link of ['link.csv', 'data/deep/x.csv']) symlinkSync(outside, link)
    writeFileSync('own.csv', 'question,answer\n1,2\n')
    const problemsOf = (text: string) => configTaskProblems(parseConfig(`run: { tasks: "${text}" }`, 'c'))
    const [{ where, what: said } = { where: '', what: '' }, ...others] = problemsOf(tasks)
    expect([where, said, others]).toEqual([
      expect.stringMatching(/^c:1 run\.tasks$/),
      expect.stringMatching(what),
      [],
    ])
    expect(problemsOf('all,csv:own.csv:1,csv:./own.csv,native:missing')).toEqual([])
  })

  it('may be any other file below the folder, also by a link inside of it', () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'a.md'), 'x')
    symlinkSync('a.md', join(folder, 'b.md'))
    for (const path of ['a.md', './a.md', 'b.md', 'missing.md', '.env.example'])
      expect(namedFileProblem(folder, path)).toBeUndefined()
  })
})
