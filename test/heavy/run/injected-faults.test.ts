import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'

const plan = (folder: string, ...more: string[]) => [
  ...['--tasks', 'answers', '--methods', 'baseline,sequential', '--quiet', '--out', folder],
  ...more,
]

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
  const down = await bench(plan(folder, '--epochs', '4', '--inject', 'server=0.3', '--retries', '1'))
  const errors = recordsOf(folder).filter(({ outcome }) => outcome.status === 'error')
  expect(errors.length).toBeGreaterThan(0)
  expect(down.code).toBe(1)
  expect(down.stderr).toMatch(new RegExp(`\\b${errors.length} trials? ended in error, which counts`))
  expect(down.stderr).toContain(`bench run --resume ${folder} --retry-errors`)
  expect(down.stdout).toMatch(/^Warn +trials are missing/m)

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
  await refused(
    ['--resume', folder, '--inject', 'slow=0.1', '--retries', '2'],
    [/--inject\] conflicts with --resume/, /--retries\] conflicts with --resume/],
  )
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
