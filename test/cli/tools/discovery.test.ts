import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { ToolEntry, tools } from '../../../strategies/tools/registry.ts'
import { root } from '../../helpers/runs/cli.ts'

const bench = (...args: string[]) =>
  execa(process.execPath, [join(root, 'dist/bench/cli.cjs'), 'tools', ...args], { reject: false })

it('bench tools lists, searches and describes tools that exist', async () => {
  const { stdout } = await bench('--json')
  const listed = JSON.parse(stdout).map((one: unknown) => ToolEntry.parse(one)) as ToolEntry[]
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(listed.filter(({ program }) => !existsSync(program))).toEqual([])
  expect((await bench('tsc')).stdout).toMatch(/^build-checker +checks types .*$/)
  const shown = await bench('show', 'test-generator')
  for (const part of ['--target-path FILE', 'test_gen_results', 'skeleton', 'test_file'])
    expect(shown.stdout).toContain(part)
  const { schema } = JSON.parse((await bench('show', 'test-runner', '--json')).stdout)
  expect(schema.required).toEqual(['success', 'summary', 'failures'])
})

it.each([
  [['show', 'test-runer'], 'Did you mean "test-runner"?'],
  [['show'], 'Name one of test-runner, build-checker, test-generator.'],
  [['show', 'test-runner', 'build-checker'], 'takes one name, and 2 were given'],
  [['deploy', 'things'], 'no tool has all these words'],
])('bench tools %j says what to write instead', async (args, message) => {
  const { exitCode, stderr, stdout } = await bench(...args)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(message)
})
