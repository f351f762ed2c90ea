import { cpSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

it('no command writes into the folder that bench is installed in', async () => {
  const installed = tempFolder()
  for (const part of [
    'package.json',
    'dist',
    'tasks/answers',
    'fixtures',
    'src/graders',
    'src/replies/answers/phrases',
    'src/sandbox',
    'src/user-code',
    'strategies',
  ])
    cpSync(join(root, part), join(installed, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
  const listing = () =>
    readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((path) => `${path} ${statSync(join(installed, path)).mtimeMs}`)
      .sort()
  const before = listing()
  const cwd = tempFolder()
  const env = { ORCHESTRATION_BENCH_CACHE: join(cwd, 'cache') }
  const bench = (...args: string[]) =>
    execa(process.execPath, [join(installed, 'dist/bench/cli.cjs'), ...args], { cwd, env })
  // Several times, since a later call may write a cache.
  for (const run of ['one', 'two']) {
    await bench('--help')
    await bench('--tasks', 'ferry-morning', '--methods', 'baseline', '--out', run, '--quiet')
    await bench('report', run)
  }
  expect(listing()).toEqual(before)
})
