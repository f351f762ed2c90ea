import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

// A project of a user's: nothing but the packed package, what it depends on, and the guide's examples.
const project = mkdtempSync(join(tmpdir(), 'bench-project-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))
const guide = readFileSync(join(root, 'docs/guides/test-a-strategy.md'), 'utf8')
const examples = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)
const bench = () => join(project, 'node_modules/orchestration-bench/dist/bench/cli.cjs')
const env = () => ({ ORCHESTRATION_BENCH_CACHE: inject('cache') })

beforeAll(async () => {
  // A bare machine has no tar, so npm only lists what it would pack.
  const listed = ['pack', root, '--ignore-scripts', '--dry-run', '--json']
  const { stdout } = await execa('npm', listed, { cwd: project })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const modules = join(project, 'node_modules')
  for (const { path } of files) cpSync(join(root, path), join(modules, 'orchestration-bench', path))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  cpSync(join(root, 'fixtures/strategies/my-strategy.ts'), join(project, 'my-strategy.mjs'))
  for (const [at, code] of examples.entries()) {
    const [, name = `example-${at + 1}.test.mjs`] = /^\/\/ (\S+)\n/.exec(code) ?? []
    writeFileSync(join(project, name), code)
  }
})

it('every example of the guide runs in a project that has only the packed package', async () => {
  const { stdout } = await execa(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: project,
    env: env(),
  })
  expect(stdout).toMatch(/^# tests 5$/m)
  expect(stdout).toMatch(/^# pass 5$/m)
})

it('the command of the guide asks the double of a module', async () => {
  const [, command = ''] = /```\nbench (.*)\n```/.exec(guide) ?? []
  const { stdout, stderr } = await execa(process.execPath, [bench(), ...command.split(' '), '--out', 'run'], {
    cwd: project,
    env: env(),
  })
  expect(`${stdout}${stderr}`).not.toContain('ended in error')
  const steps = readFileSync(join(project, 'run/steps.jsonl'), 'utf8')
  expect(steps).toContain('"reply":"Answer: 11"')
  expect(steps).not.toContain('"reply":"Answer: 12"')
})

it('a double that times out moves the clock of a trial, and nobody waits', async () => {
  const double =
    "import { timingOut } from 'orchestration-bench/testing'\nexport default timingOut(7_200_000)\n"
  writeFileSync(join(project, 'late.mjs'), double)
  const options = [
    '--tasks',
    'lamp-paths',
    '--methods',
    'baseline',
    '--agents',
    'scripted:late.mjs',
    '--out',
    'late',
  ]
  await execa(process.execPath, [bench(), ...options], { cwd: project, env: env() })
  const record = JSON.parse(readFileSync(join(project, 'late/records.jsonl'), 'utf8'))
  expect(record).toMatchObject({ outcome: { status: 'limited' }, durationMs: 7_200_000 })
})

it('the types of the export hold a test in TypeScript', async () => {
  const code = `import { play, scriptedAgent, type Script } from 'orchestration-bench/testing'
import { defineStrategy, z } from 'orchestration-bench'
const strategy = defineStrategy({
  name: 'one', summary: 'One.', roles: { writer: 'produce' }, options: z.strictObject({}),
  run: async ({ ask }) => ({ answer: await ask('writer', 'Go.'), stopReason: 'done' }),
})
const script: Script<'writer'> = { writer: scriptedAgent(['x']) }
const { answer } = await play(strategy, {}, script)
export const text: string | undefined = answer
// @ts-expect-error: the strategy has no such role.
await play(strategy, {}, [['reader', 'x']])
`
  writeFileSync(join(project, 'typed.mts'), code)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { exitCode, stdout } = await execa(process.execPath, [tsc, ...options, 'typed.mts'], {
    cwd: project,
    reject: false,
  })
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
})
