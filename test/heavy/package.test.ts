import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Installed, installPackage, type Packed } from '../helpers/guides/installed.ts'
import { root } from '../helpers/runs/cli.ts'

let packed: Packed
let project: string
let path: string
let installed: Installed
beforeAll(async () => {
  installed = await installPackage()
  ;({ packed, project, bin: path } = installed)
}, 120_000)
afterAll(() => installed.remove())

const cli = () => join(project, 'node_modules/orchestration-bench/dist/bench/cli.cjs')
const bench = (...args: string[]) =>
  execa(join(path, 'node'), [cli(), ...args], {
    cwd: project,
    env: { HOME: project, PATH: path },
    extendEnv: false,
  })

describe('the package', () => {
  it('has at most 10 MB, at most 60 files of ours that run, and no test or fixture that it does not need', () => {
    expect(packed.unpackedSize).toBeLessThanOrEqual(10_000_000)
    const paths = packed.files.map((file) => file.path)
    const built = paths.filter((name) => name.startsWith('dist/'))
    expect(built.length).toBeLessThanOrEqual(60)
    expect(built.filter((name) => name.endsWith('.d.ts'))).toEqual([
      'dist/bench/api.d.ts',
      'dist/bench/testing.d.ts',
    ])
    expect(paths.filter((name) => /^(?:test|scripts|results|node_modules)\//.test(name))).toEqual([])
    const fixtures = paths.filter((name) => name.startsWith('fixtures/')).map((name) => name.split('/')[1])
    expect([...new Set(fixtures)].sort()).toEqual(['agents', 'profiles', 'verdicts'])
  })

  it('runs, reports and replays on a machine with Node, npm and git alone', {
    timeout: 300_000,
  }, async () => {
    const { stdout } = await bench(
      '--tasks',
      'answers',
      '--methods',
      'sequential,baseline',
      '--out',
      'answers',
    )
    expect(stdout).toContain('2 methods on 8 tasks, 1 epoch each; simulated; 16 trials, none missing')
    await bench('--tasks', 'money-split,meeting-windows', '--methods', 'baseline', '--quiet', '--out', 'code')
    const records = readFileSync(join(project, 'code/records.jsonl'), 'utf8').trim().split('\n')
    expect(records.map((line) => JSON.parse(line).passed)).not.toContain(null)
    for (const format of ['html', 'latex', 'markdown']) await bench('report', 'answers', '--format', format)
    await bench('report', 'answers', '--format', 'svg', '--out', 'figures')
    expect(readdirSync(join(project, 'figures')).length).toBeGreaterThan(2)
    await bench('replay', 'code')
    await bench('tools')
  })

  it('has no DuckDB, and says what to install where a command needs it', async () => {
    await bench('--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet', '--out', 'history/one')
    const { exitCode, stderr } = await bench('history', '--in', 'history').catch((error) => error)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/needs the package @duckdb\/node-api.*npm install @duckdb\/node-api@\d/)
    // The views are SQL files of the package.
    const { stdout } = await bench('history', '--in', 'history', '--sql')
    expect(stdout).toContain('create or replace view trials')
  })

  it('has no driver of PostgreSQL, and says what to install where workers need it', async () => {
    for (const command of [['run', '--tasks', 'ferry-morning', '--methods', 'baseline'], ['work']]) {
      const there = ['--queue', 'postgres://bench@127.0.0.1:1/bench', '--share', '.']
      const { exitCode, stderr } = await bench(...command, ...there).catch((error) => error)
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/needs the package pg.*npm install pg@8\.23\.1 bullmq@6\.7\.0/)
    }
  })

  it('has no client of the Agent Client Protocol, and says what to install where an agent needs it', async () => {
    const plan = ['--mode', 'live', '--tasks', 'ferry-morning', '--methods', 'baseline']
    const run = bench(...plan, '--agents', 'acp:gemini --acp -m gemini-2.5-pro', '--out', 'acp')
    const { exitCode, stderr } = await run.catch((error) => error)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /needs the package @agentclientprotocol\/sdk.*npm install @agentclientprotocol\/sdk@\d/,
    )
  })

  it('leaves out only packages that load whole in the way it loads them', async () => {
    const folder = join(project, 'node_modules/orchestration-bench/dist/bench')
    const programs = readdirSync(folder).filter((name) => name.endsWith('.cjs'))
    const texts = programs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    const load = createRequire(join(folder, 'cli.cjs'))
    // linkedom draws with a canvas where there is one.
    const optional = ['canvas']
    const namedBy = (call: string) =>
      [...texts.matchAll(new RegExp(`\\b${call}\\(([\`"'])([^\`"'$.][^\`"'$]*)\\1\\)`, 'g'))]
        .map(([, , name = '']) => name)
        .filter((name) => !isBuiltin(name) && !optional.includes(name))
    const required = new Set([...namedBy('require'), ...namedBy('loadPackage')])
    expect([...required]).toContain('@babel/parser')
    // On Node 20 a package of ES modules alone comes as an object without names.
    for (const name of required) expect(Object.keys(load(name)).length, name).toBeGreaterThan(0)
    const imported = new Set(namedBy('import'))
    expect([...imported]).toContain('undici')
    for (const name of imported)
      expect(Object.keys(await import(load.resolve(name))).length, name).toBeGreaterThan(0)
    const graded = await bench('grade', '--grader', 'math', '--answer', '\\frac12', '--', 'Answer: 0.5')
    expect(graded.stdout).toContain('is right')
  })

  it('gives a program every export, and its types', { timeout: 300_000 }, async () => {
    writeFileSync(
      join(project, 'all.ts'),
      `import { run, z, UserError, type RunRequest, type RunResult, type Step, type TrialRecord } from 'orchestration-bench'
import { play, scriptedAgent, type Played, type Scene } from 'orchestration-bench/testing'
const request: RunRequest = { tasks: 'answers', methods: ['baseline'] }
export const result: Promise<RunResult> = run(request)
// @ts-expect-error a number selects no tasks
export const wrong: RunRequest = { tasks: 3, methods: ['baseline'] }
export const id = (record: TrialRecord): string => record.trial
// @ts-expect-error a record has no such field
export const none = (record: TrialRecord) => record.nothing
export type All = [Step, Scene, Played]
export { play, scriptedAgent, UserError, z }
`,
    )
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit', '--types', '']
    const libraries = ['--lib', 'es2023,es2024.string,esnext.disposable,dom', '--skipLibCheck', 'false']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const typed = await execa(process.execPath, [tsc, ...options, ...libraries, 'all.ts'], {
      ...{ cwd: project, reject: false },
    })
    expect(typed.stdout).toBe('')
    expect(typed.exitCode).toBe(0)
    writeFileSync(
      join(project, 'all.mjs'),
      `import * as api from 'orchestration-bench'
import * as testing from 'orchestration-bench/testing'
console.log(typeof api.run, typeof testing.play, typeof api.defineStrategy, api.z.string().parse('zod'))`,
    )
    const { stdout } = await execa(process.execPath, ['all.mjs'], { cwd: project })
    expect(stdout).toBe('function function function zod')
  })
})
