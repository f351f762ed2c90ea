import { symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { program, root } from '../../helpers/runs/cli.ts'

/** The environment of a shell, without variables of the test runner. */
const plain = { npm_command: undefined, ORCHESTRATION_BENCH_CACHE: inject('cache') }
const commandsOf = (text: string) =>
  [...text.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, command = '']) => command)

/** A folder with `bench` on the PATH, as after `npm install -g`. */
function withBench() {
  const bin = tempFolder()
  symlinkSync(program, join(bin, 'bench'))
  return { ...plain, PATH: `${bin}${delimiter}${process.env.PATH}` }
}

it('bench without arguments names a few commands that all work as printed in that folder', {
  timeout: 120_000,
}, async () => {
  const cwd = tempFolder()
  const env = withBench()
  const { stdout, stderr, exitCode } = await execa('bench', [], { cwd, env })
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  const commands = commandsOf(stdout)
  expect(commands.length).toBeGreaterThanOrEqual(4)
  expect(commands.length).toBeLessThanOrEqual(6)
  // The path of the checkout may be long.
  const lines = stdout.replaceAll(root, '').split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  for (const command of commands) {
    expect(command).toMatch(/^bench /)
    expect((await execa('sh', ['-c', command], { cwd, env, reject: false })).exitCode, command).toBe(0)
  }
  // `bench init` was one of the commands.
  const after = (await execa('bench', [], { cwd, env })).stdout
  expect(commandsOf(after)).toContain('bench run')
  expect(commandsOf(after).join()).not.toMatch(/init|--tasks/)
  expect((await execa('sh', ['-c', 'bench run --quiet'], { cwd, env, reject: false })).exitCode).toBe(0)
})
