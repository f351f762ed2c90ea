import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { familySetting } from '../../helpers/agents/wire-families.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  asksOf,
  bench,
  benchOk,
  intentsOf,
  recordsOf,
  refused,
  shareProcess,
  startBench,
  stepsOf,
  until,
} from '../../helpers/runs/cli.ts'
import type { Script } from '../../model-server/script.ts'

shareProcess()

describe('paid calls', () => {
  const text = 'Answer: 42. {"approved": true}'
  const slow = { text, failure: { kind: 'slow', ms: 1500 } } as const
  const script: Script = [slow, slow, { text, always: true }]
  const plan = argv`--mode live --tasks ferry-morning,lamp-paths --methods sequential[maxInner=1,maxOuter=1]
    --agents openai-compatible:m --allow-unsandboxed --parallel 2 --quiet`

  const bills = (folder: string) =>
    asksOf(folder)
      .map(({ tokens, role }) => JSON.stringify([role, tokens]))
      .sort()

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'the first %s lets paid calls in flight end, begins no other, and the resumed run asks for none of them again',
    async (signal) => {
      const calm = await familySetting(script)
      await benchOk([...plan, '--out', calm.folder], { env: calm.env })

      const { server, env, folder } = await familySetting(script)
      const TMPDIR = tempFolder()
      const running = startBench([...plan, '--out', folder], { env: { ...env, TMPDIR } })
      await until(() => server.asked() === 2 || running.isOver())
      running.kill(signal)
      // npm passes on the signal that the terminal has sent already.
      running.kill(signal)
      const { code, stderr } = await running.ended
      expect(code).toBe(130)
      expect(stderr).toContain('stopping: waits for 2 paid calls in flight; Ctrl-C again cuts them off')
      expect(stderr).toContain('interrupted after 0 of 2 trials')
      expect(server.asked()).toBe(2)
      expect(asksOf(folder).map(({ reply }) => reply)).toEqual([text, text])
      expect(intentsOf(folder)).toHaveLength(2)
      expect(recordsOf(folder)).toEqual([])
      expect(readdirSync(TMPDIR)).toEqual([])

      const resumed = startBench(argv`--resume ${folder} --quiet --allow-unsandboxed`, {
        env: { ...env, TMPDIR },
      })
      const { stderr: said } = await resumed.ended
      expect(said).not.toMatch(/paid|killed|left behind/)
      expect(server.asked()).toBe(calm.server.asked())
      expect(bills(folder)).toEqual(bills(calm.folder))
      expect(asksOf(folder).filter(({ payer }) => payer === 'void')).toEqual([])
      expect(await benchOk(['replay', folder])).toContain('no divergence')
    },
  )

  it('the first Ctrl-C ends waits for retries at once', async () => {
    const { server, env, folder } = await familySetting([
      { always: true, failure: { kind: 'status', status: 503, retryAfter: '60' } },
    ])
    const running = startBench([...plan, '--out', join(folder)], { env })
    await until(() => server.asked() === 2 || running.isOver())
    await until(() => asksOf(folder).length === 2 || running.isOver())
    running.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toContain('stopping: bench aborts the calls in flight')
    expect(server.asked()).toBe(2)
  })
})

const plan = (folder: string, ...more: string[]) =>
  argv`--tasks answers --methods baseline,sequential --quiet --out ${folder} ${more}`

it('a run with injected faults says so in its table, run.json, records and steps, and has its own ids', async () => {
  const folder = join(tempFolder(), 'run')
  const plain = join(tempFolder(), 'run')
  const table = await bench(plan(folder, '--inject', 'malformed=0.3', '--inject', 'auditor:empty=0.2'))
  await benchOk(plan(plain))
  expect(table.stdout).toMatch(/; simulated; faults injected; /)
  const faults = 'malformed=0.3, auditor:empty=0.2, auditor:malformed=0.3'
  expect(table.stdout.replace(/\s+/g, ' ')).toContain(faults)
  for (const record of recordsOf(folder)) expect(record.faults).toBe(faults)
  expect(stepsOf(folder).some((step) => step.kind === 'ask' && step.fault === 'malformed')).toBe(true)
  const ids = (run: string) => recordsOf(run).map(({ trial }) => trial)
  expect(ids(folder).filter((id) => ids(plain).includes(id))).toEqual([])
  expect(await benchOk(['show', folder])).toContain(`injected on purpose: ${faults}`)
  expect((await bench(['replay', folder])).stdout).toContain('no divergence')
})

it('an outage causes errors, exit code 1 and a hint to run them again, and that command reports what it does', async () => {
  const folder = join(tempFolder(), 'run')
  // Enough trials that they cannot all fail again by chance; the random numbers depend on the digest of the code.
  const down = await bench(plan(folder, '--epochs', '4', '--inject', 'server=0.4', '--retries', '1'))
  const errors = recordsOf(folder).filter(({ outcome }) => outcome.status === 'error')
  expect(errors.length).toBeGreaterThan(0)
  expect(down.code).toBe(1)
  expect(down.stderr).toMatch(new RegExp(`\\b${errors.length} trials? ended in error, which counts`))
  expect(down.stderr).toContain(`bench run --resume ${folder} --retry-errors`)
  // The screen has room for the warnings that matter most; the report has them all.
  expect(down.stdout).toMatch(/^Warn .*\bmissing trials\b/m)
  expect(await benchOk(['report', folder])).toMatch(
    /share of missing trials differs|trials of a method are missing/,
  )

  const ids = recordsOf(folder).map(({ trial }) => trial)
  const again = await bench(['--resume', folder, '--retry-errors', '--quiet'])
  expect(again.stderr).toContain(`${errors.length} trial(s) ended in error and are run again`)
  expect(recordsOf(folder).map(({ trial }) => trial)).toEqual(ids)
  const changed = recordsOf(folder).filter(({ outcome }) => outcome.status === 'error').length
  expect(changed).toBeLessThan(errors.length)
})

it('--retry-errors says that there is nothing to retry if no trial ended in error', async () => {
  const folder = join(tempFolder(), 'run')
  await benchOk(plan(folder, '--retries', '0'))
  const { code, stderr } = await bench(['--resume', folder, '--retry-errors', '--quiet'])
  expect(code).toBe(0)
  expect(stderr).toContain('no trial of this run ended in error')
})

it('invalid faults and retries are refused together, and so are settings that a run already has', async () => {
  await refused(
    plan(
      join(tempFolder(), 'run'),
      '--inject',
      'timeot=0.1,slow=7',
      '--inject',
      'auditr:empty=1',
      '--retries',
      '99',
    ),
    [/there is no kind of fault "timeot".*"timeout"/, /"slow" is "7"/, /"auditr".*"auditor"/, /--retries 99/],
  )
  await refused(['--tasks', 'answers', '--methods', 'baseline', '--retry-errors'], [/requires --resume/])
  const folder = join(tempFolder(), 'run')
  await benchOk(plan(folder))
  await refused(argv`--resume ${folder} --inject slow=0.1 --retries 2`, [
    /--inject\] conflicts with --resume/,
    /--retries\] conflicts with --resume/,
  ])
})

it('bench agents lists which failures are retried and which faults can be injected', async () => {
  const text = await benchOk(['agents'])
  expect(text).toMatch(/^ {2}quota +yes +error /m)
  expect(text).toMatch(/^ {2}key +never +error /m)
  expect(text).toMatch(/^ {2}rate-limit +HTTP 429/m)
  const json = JSON.parse(await benchOk(['agents', '--json'])) as Record<string, { reason?: string }[]>
  expect(json.failures?.map(({ reason }) => reason)).toContain('refusal')
  expect(json.faults).toHaveLength(10)
})
