import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../helpers/runs/cli.ts'

it('the guide says what reports of tools save on the built-in code tasks', async () => {
  const { exitCode, stdout } = await execa(process.execPath, ['scripts/task-savings.mjs', '--check'], {
    cwd: root,
    reject: false,
  })
  expect(stdout).toBe('')
  expect(exitCode).toBe(0)
})
