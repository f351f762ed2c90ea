import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { root } from '../helpers/runs/cli.ts'

/** A folder that holds the programs of a bare machine. */
async function barePath(): Promise<string> {
  const folder = join(tempFolder(), 'bin')
  await execa(join(root, 'scripts/bare-path.sh'), [folder])
  return folder
}

/** Runs tests that need bubblewrap where it is not on the PATH. */
async function testsOnBarePath(env: Record<string, string> = {}) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--dir', 'test', '--project', 'unit', 'sandbox/adapters/agent-place']
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, {
    cwd: root,
    env: { PATH: await barePath(), HOME: tempFolder(), ...env },
    extendEnv: false,
    reject: false,
  })
  return { exitCode, stdout, stderr, last: stdout.split('\n').at(-1) }
}

it('a bare PATH holds Node, npm, git, sh and coreutils, and no other tool', async () => {
  const names = readdirSync(await barePath())
  expect(names).toEqual(expect.arrayContaining(['node', 'npm', 'npx', 'git', 'sh', 'cat', 'env', 'mkfifo']))
  for (const name of [
    'bwrap',
    'python3',
    'prlimit',
    'setpriv',
    'docker',
    'chromium',
    'ps',
    'tar',
    'bash',
    'grep',
  ])
    expect(names).not.toContain(name)
})

it('a test whose tool is missing is skipped by its name, and counted on the last line', async () => {
  const { exitCode, last } = await testsOnBarePath()
  expect({ exitCode, last }).toEqual({ exitCode: 0, last: '0 passed, 0 failed, 4 skipped: 4 need bwrap' })
})

it('a test whose tool is missing fails where all tools are to be here', async () => {
  const { exitCode, stdout, stderr, last } = await testsOnBarePath({ BENCH_ALL_TOOLS: '1' })
  expect({ exitCode, last }).toEqual({ exitCode: 1, last: '0 passed, 1 failed, 0 skipped' })
  expect(stdout + stderr).toContain('BENCH_ALL_TOOLS is set, and bwrap cannot be used here.')
})
