import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { writeStrategy } from '../../helpers/machine/user-code.ts'
import { bench, benchOk, recordsOf } from '../../helpers/runs/cli.ts'
import { answers, liveRun } from '../../helpers/scenarios/in-vain-scenario.ts'

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
  const on = await bench(['run', '--resume', 'run', '--keep-going', '--quiet', '--allow-unsandboxed'], {
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
