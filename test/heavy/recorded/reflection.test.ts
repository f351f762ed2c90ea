import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'

it('the page of the study of reflection has the numbers that its command makes', async () => {
  const script = join(packageRoot(), 'scripts/study-reflection.mjs')
  const { exitCode } = await execa(process.execPath, [script, '--check'], { reject: false })
  expect(exitCode).toBe(0)
})
