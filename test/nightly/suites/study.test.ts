import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

it('the study is what its command makes, with every kept verdict proved anew', {
  timeout: 1_200_000,
}, async () => {
  const script = join(root, 'scripts/study.mjs')
  const { stdout } = await execa(process.execPath, [script, '--check', '--prove', 'all'], { cwd: root })
  expect(stdout).toContain('the study is what its command makes')
})
