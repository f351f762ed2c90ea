import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../helpers/runs/cli.ts'

it('the verdicts of wrong solutions that come with bench are what judging gives', {
  timeout: 3_600_000,
}, async () => {
  const args = ['scripts/verdicts.mjs', '--prove', 'all']
  const { exitCode, all } = await execa(process.execPath, args, { cwd: root, all: true, reject: false })
  expect(all).not.toContain('makes')
  expect(exitCode, all).toBe(0)
})
