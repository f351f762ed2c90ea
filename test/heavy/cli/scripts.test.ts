import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

it.each([
  'scripts/publish-example.mjs',
  'scripts/perf/main.mjs',
  'scripts/perf/peers.mjs',
  'scripts/calibrate.mjs',
  'scripts/task-savings.mjs',
  'scripts/mutate-src.mjs',
])('%s prints its usage in one line, and does nothing for an unknown flag', async (script) => {
  const start = (flag: string) =>
    execa(process.execPath, [script, flag], { cwd: root, reject: false, stdin: 'ignore' })
  expect(await start('--help')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^usage: npm run \S+ \[-- --.*\]$/),
    stderr: '',
  })
  expect(await start('--nosuch')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--nosuch'; usage: npm run .*$/),
  })
})

it('the build of a clone without packages makes a bin that says what is missing, so npx remembers no failure', async () => {
  const clone = tempFolder()
  for (const name of ['scripts', 'package.json'])
    cpSync(join(root, name), join(clone, name), { recursive: true })
  expect(await execa(process.execPath, ['scripts/build.mjs'], { cwd: clone })).toMatchObject({ exitCode: 0 })
  const { bin } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { bin: { bench: string } }
  expect(await execa(join(clone, bin.bench), ['--version'], { reject: false })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'bench: this clone is not installed yet. Run npm ci in it first.',
  })
})
