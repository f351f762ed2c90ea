import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { solve, writeStrategy } from '../../helpers/machine/user-code.ts'
import { bench, benchOk, recordsOf } from '../../helpers/runs/cli.ts'
import { answers, liveRun } from '../../helpers/scenarios/in-vain-scenario.ts'

it('a live trial has at most 500 calls by default, which the plan prints and --limit calls=N or none changes', async () => {
  const cwd = tempFolder()
  const method = writeStrategy(
    cwd,
    'endless',
    "    for (let i = 0; i < 501; i++) await ask('critic', 'Again.')\n    return { stopReason: 'done' }",
  )
  const args = liveRun(cwd, answers, method)
    .map((word) => ({ 6: '1', 'lamp-paths,ferry-morning': 'lamp-paths' })[word] ?? word)
    .filter((word) => word !== '--quiet')
  const ran = await bench(args, { cwd })
  expect(ran.stderr).toContain('at most 500 calls per trial (change with --limit calls=N or calls=none)')
  expect(recordsOf(join(cwd, 'run')).map(({ outcome }) => outcome.reason)).toEqual([
    'calls: 500 of 500 calls used',
  ])
  const trials = recordsOf(join(cwd, 'run')).map(({ trial }) => trial)
  await benchOk(['replay', 'run'], { cwd })
  const free = await bench([...args, '--limit', 'calls=none', '--out', 'free'], { cwd })
  expect(free.stderr).not.toContain('at most')
  for (const { outcome, trial } of recordsOf(join(cwd, 'free'))) {
    expect(outcome.status).toBe('completed')
    expect(trials).not.toContain(trial)
  }
  const dry = await benchOk(
    [
      '--tasks',
      'lamp-paths',
      '--methods',
      'baseline',
      '--mode',
      'live',
      '--agents',
      'scripted:agent.mjs',
      '--allow-unsandboxed',
      '--dry-run',
    ],
    { cwd },
  )
  expect(dry).toContain('at most 500 calls per trial')
})

it('a run continues if some trials succeed, if reasons differ, and in dev mode', async () => {
  const cwd = tempFolder()
  const some = writeStrategy(
    cwd,
    'some',
    `    const answer = await ask('solver', 'Do it.')\n    if (answer.length > 100) throw new Error('long')\n    ${solve}`,
  )
  const long = "let n = 0\nexport default () => ('ANSWER: 1'.padEnd(n++ % 3 === 0 ? 10 : 200, '.'))"
  expect((await bench(liveRun(cwd, long, some), { cwd })).code).toBe(0)
  const broken = writeStrategy(cwd, 'broken', "    throw new Error('never')")
  const dev = await bench(['--tasks', 'lamp-paths', '--epochs', '8', '--methods', broken, '--quiet'], { cwd })
  expect(dev.code).toBe(0)
})
