import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { benchCommand } from '../../src/commands/terminal/bench-command.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { benchOk, root } from '../helpers/runs/cli.ts'

/** The environment of a shell, without variables of the test runner. */
const plain = { npm_command: undefined, ORCHESTRATION_BENCH_CACHE: inject('cache') }

it('bench without arguments never runs a config file', async () => {
  const cwd = folderOf({
    'bench.config.yaml': 'run: { mode: live, agents: anthropic:none, tasks: all, methods: [',
  })
  expect(await benchOk([], { cwd, env: plain })).toContain(' run ')
})

it('bench without arguments prints a path of the README that can be opened', async () => {
  const said = await benchOk([], { cwd: root, env: plain })
  expect(said).toMatch(/See README\.md$/)
  const cwd = tempFolder()
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/orchestration-bench'))
  expect(await benchOk([], { cwd, env: plain })).toMatch(/See node_modules\/orchestration-bench\/README\.md$/)
  const elsewhere = await benchOk([], { env: plain })
  expect(readFileSync(/See (.*)$/.exec(elsewhere)?.[1] ?? '', 'utf8')).toContain('# orchestration-bench')
})

it('benchCommand returns the command as the user typed it', () => {
  const here = process.cwd()
  expect(benchCommand(join(here, 'node_modules/.bin/bench'), { npm_command: 'exec' })).toBe('npx bench')
  expect(benchCommand('/opt/bin/bench', { PATH: `/usr/bin${delimiter}/opt/bin/` })).toBe('bench')
  expect(benchCommand(join(here, 'node_modules/.bin/bench'), { PATH: '/usr/bin' })).toBe(
    'node_modules/.bin/bench',
  )
  expect(benchCommand(join(here, 'bench'), {})).toBe('./bench')
  expect(benchCommand(join(here, 'dist/bench/cli.cjs'), {})).toBe('node dist/bench/cli.cjs')
  expect(benchCommand('/far/away/cli.cjs', {})).toBe('node /far/away/cli.cjs')
  expect(benchCommand(join(here, "it's here/cli.cjs"), {})).toBe(`node 'it'\\''s here/cli.cjs'`)
})
