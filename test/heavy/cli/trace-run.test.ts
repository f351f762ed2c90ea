import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

it('a run enters the same number of files each time, and no more than the script allows', {
  timeout: 180_000,
}, async () => {
  const { stdout, exitCode } = await execa(process.execPath, [join(root, 'scripts/trace-run.mjs')])
  expect(exitCode).toBe(0)
  // A trace without files would also be within the limits.
  for (const file of ['loop/work/work', 'loop/ask/ask', 'commands/session/execute', 'reports/report'])
    expect(stdout).toContain(`src/${file}.ts\n`)
})
