import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

it('the table of savings in the guide is what the logs give', () => {
  const table = execFileSync(process.execPath, ['scripts/tool-logs/saving-table.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(table.split('\n').length).toBeGreaterThan(12)
  expect(readFileSync(join(root, 'docs/reference/tool-savings.md'), 'utf8')).toContain(
    `<!-- saving -->\n${table}<!-- end of saving -->`,
  )
})
