import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

it('one simulated ask runs code in no more files than the script allows', {
  timeout: 60_000,
}, async () => {
  const { stdout, exitCode } = await execa(process.execPath, [join(root, 'scripts/trace-ask.mjs')])
  expect(exitCode).toBe(0)
  // A trace without files would also be within the limits.
  for (const file of ['trial/context', 'ask/ask', 'journal/journal'])
    expect(stdout).toContain(`src/loop/${file}.ts\n`)
})
