import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { solve, writeStrategy } from '../../helpers/machine/user-code.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf } from '../../helpers/runs/cli.ts'

/** A live run of many trials whose agent is a script. */
function liveRun(cwd: string, script: string, methods: string) {
  writeFileSync(join(cwd, 'agent.mjs'), `export const paid = true\nexport const simulated = false\n${script}`)
  return argv`--tasks lamp-paths,ferry-morning --epochs 6 --mode live --allow-unsandboxed --quiet
    --methods ${methods} --agents scripted:agent.mjs --out run --parallel 2`
}

/** An agent that answers each ask. */
const answers = "export default () => 'ANSWER: 1'"

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
    argv`--tasks lamp-paths --methods baseline --mode live --agents scripted:agent.mjs --allow-unsandboxed
      --dry-run`,
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

it('a live run stops if its first five trials fail alike, and --keep-going continues it', async () => {
  const cwd = tempFolder()
  const broken = writeStrategy(
    cwd,
    'broken',
    `    await ask('solver', 'Do it.')\n    throw new Error(\`no \${Math.random()} in it\`)`,
  )
  const args = liveRun(cwd, answers, `baseline,${broken}`)
  const ran = await bench(args, { cwd })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toMatch(
    /stopped after \d+ of 24 trials: broken ended as failed in the same way in its first 5 trials: the method broke: no /,
  )
  expect(ran.stderr).toContain('To resume without a fix: bench run --resume run --keep-going')
  const failed = recordsOf(join(cwd, 'run')).filter(({ outcome }) => outcome.status === 'failed')
  // One more trial was in flight.
  expect(failed.length).toBeGreaterThanOrEqual(5)
  expect(failed.length).toBeLessThanOrEqual(6)
  expect(await benchOk(['show', 'run'], { cwd })).toContain('stopped: broken ended as failed')
  const on = await bench(argv`run --resume run --keep-going --quiet --allow-unsandboxed`, {
    cwd,
  })
  expect(on.code).toBe(0)
  expect(recordsOf(join(cwd, 'run'))).toHaveLength(24)
})

it('a live run stops if no ask is answered, and prints the error of the server', async () => {
  const cwd = tempFolder()
  const script =
    "let n = 0\nexport default () => ({ error: { reason: 'key', message: '401 invalid x-api-key (req_' + n++ + 'aZ)' } })"
  const args = liveRun(cwd, script, 'baseline,retry')
  const ran = await bench(args, { cwd })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toMatch(/no ask was answered in the first 5 trials: key: 401 invalid x-api-key/)
  expect(ran.stderr).toContain('resume with: bench run --resume run --retry-errors')
  // Trials in flight end.
  expect(recordsOf(join(cwd, 'run')).length).toBeLessThan(8)
})
