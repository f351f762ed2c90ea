import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { writeStrategy } from '../helpers/machine/user-code.ts'
import { bench } from '../helpers/runs/cli.ts'

const begin = "await ask('solver', 'Do it.')"

// What keeps the processor busy, and what no debugger can stop.
it.each([
  ['an endless loop', `${begin}; for (;;) {}`, 1],
  ['an endless loop of promises', `${begin}; while (true) await null`, 1],
  ['an endless loop in a branch', "await branch('a', async () => { for (;;) {} })", 1],
  ['a pattern that takes for ever', `${begin}; /^(a+)+$/.test('a'.repeat(40) + 'b')`, 1],
  ['a timer that loops', `setTimeout(() => { for (;;) {} }); ${begin}; await new Promise(() => {})`, 1],
  ['a program that it waits for', `${begin}; execFileSync('sleep', ['100'])`, 137],
])('a run that %s blocks ends and names the code that blocks', async (_, code, exitCode) => {
  const cwd = tempFolder()
  const method = writeStrategy(cwd, 'stuck', code, "import { execFileSync } from 'node:child_process'")
  const args = ['--tasks', 'lamp-paths', '--methods', method, '--out', 'run', '--quiet', '--end-blocked', '1']
  const ended = await bench(args, { cwd })
  const signal = ended.signal === 'SIGKILL' ? 137 : undefined
  expect(ended.code ?? signal).toBe(exitCode)
  expect(ended.stderr).toMatch(/^method stuck in trial \w+ \(answers\/lamp-paths, epoch 1\).* has blocked/)
  if (exitCode === 1) expect(ended.stderr).toContain('at ./stuck.ts:6, has blocked')
  expect(ended.stderr).toContain('resume with: bench run --resume run')
  expect(existsSync(join(cwd, 'run/run.json'))).toBe(true)
})
