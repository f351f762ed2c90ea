import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  recordsOf,
  refused,
  root,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'

const paid = ['--mode', 'live', '--agents', `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`]
const plan = argv`${paid} --tasks ferry-morning,lamp-paths,recipe-scale --quiet --parallel 2
  --methods baseline,sequential[maxInner=1,maxOuter=1]`

/** A run whose agent stops answering after so many calls, so that its process holds the folder. */
async function halfDone(calls: number) {
  const place = tempFolder()
  const folder = join(place, 'run')
  const log = join(place, 'log')
  const running = startBench(argv`${plan} --out ${folder}`, {
    env: { WORKER_MOST: String(calls), WORKER_LOG: log },
  })
  await until(() => running.isOver() || (existsSync(log) && wholeLines(log).length > calls))
  return { folder, running, log }
}

/** A lock as a bench in another container would leave it. */
const foreignLock = JSON.stringify({ pid: 7, started: '99', machine: '0a0a0a0a', host: 'other-node' })

it('a lock of another machine is refused, and taken over only from a dead holder', async () => {
  const runs = await Promise.all([halfDone(3), halfDone(3)])
  for (const { folder, running } of runs) {
    running.kill('SIGKILL')
    await running.ended
    writeFileSync(join(folder, 'lock'), foreignLock)
  }
  const [dead, living] = runs.map(({ folder }) => folder) as [string, string]
  await refused(argv`--resume ${dead}`, [
    'another bench (process 7 on another machine or in another container, "other-node")',
    '--take-over',
  ])
  expect(readFileSync(join(dead, 'lock'), 'utf8')).toBe(foreignLock)

  const lock = join(living, 'lock')
  const heart = setInterval(() => utimesSync(lock, new Date(), new Date()), 500)
  const [taken] = await Promise.all([
    bench(['--resume', dead, '--take-over', '--quiet']),
    refused(['--resume', living, '--take-over'], ['is in use by a running bench', 'Stop that bench']),
  ])
  clearInterval(heart)
  expect(taken).toMatchObject({ code: 0 })
  expect(recordsOf(dead)).toHaveLength(6)
  expect(readdirSync(dead).filter((name) => name.startsWith('lock'))).toEqual([])
  expect(readFileSync(lock, 'utf8')).toBe(foreignLock)
})

it('a bench stops when another one takes its folder over', async () => {
  const { folder, running } = await halfDone(3)
  writeFileSync(join(folder, 'lock'), foreignLock)
  const { code, stderr } = await running.ended
  expect(code).toBe(1)
  expect(stderr).toContain('"other-node") has taken over this run folder')
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(foreignLock)
})

it('the end of a dead session is noted once although several take its folder over together', async () => {
  const { folder, running } = await halfDone(3)
  running.kill('SIGKILL')
  await running.ended
  writeFileSync(join(folder, 'lock'), foreignLock)
  const ends = await Promise.all(
    Array.from({ length: 3 }, () => bench(['--resume', folder, '--take-over', '--quiet'])),
  )
  expect(ends.map(({ code }) => code)).toContain(0)
  for (const { code, stderr } of ends)
    if (code !== 0) expect(stderr).toMatch(/is using this run folder|a running bench/)
  expect(recordsOf(folder)).toHaveLength(6)
  const sessions = wholeLines(join(folder, 'sessions.jsonl'))
  expect(sessions.filter((line) => line.includes('"killed"'))).toHaveLength(1)
})

it('a stopped process writes nothing more into a folder that was taken over', async () => {
  const { folder, running } = await halfDone(3)
  running.kill('SIGSTOP')
  writeFileSync(join(folder, 'lock'), foreignLock)
  const before = linesOf(folder)
  running.kill('SIGCONT')
  // Its calls in flight are cut off and would be noted as void.
  expect(await running.ended).toMatchObject({ code: 1 })
  expect(linesOf(folder)).toEqual(before)
})

it.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
])('an invalid lock (%s) is named and not taken for a bench', async (_, make) => {
  const { folder, running } = await halfDone(99)
  await running.ended
  make(join(folder, 'lock'))
  for (const more of [[], ['--take-over']]) {
    const { stderr } = await refused(['--resume', folder, ...more], ['lock] is not a lock file', 'remove it'])
    expect(stderr).not.toContain('using this run folder. Wait')
  }
})

const linesOf = (folder: string) =>
  ['steps.jsonl', 'records.jsonl', 'events.jsonl', 'sessions.jsonl'].map((file) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '',
  )

it('--repair removes what a bench wrote after it had lost the folder', async () => {
  const { folder, running } = await halfDone(99)
  await running.ended
  const steps = join(folder, 'steps.jsonl')
  const intent = wholeLines(steps).find((line) => line.includes('"intent"'))
  appendFileSync(steps, `${intent}\n`)
  await refused(['--resume', folder], ['does not match its steps'])
  const { code, stderr } = await bench(['--resume', folder, '--repair', '--quiet'])
  expect(code).toBe(0)
  expect(stderr).toMatch(/run again; .*void: [0-9a-f]{12}/)
  expect(await bench(['report', folder])).toMatchObject({ code: 0 })
})

/** A folder on which two processes worked from the same state, with the lines of both appended. */
async function workedOnTwice() {
  const { folder, running } = await halfDone(6)
  running.kill('SIGKILL')
  await running.ended
  rmSync(join(folder, 'lock'))
  const other = join(tempFolder(), 'run')
  cpSync(folder, other, { recursive: true })
  const before = wholeLines(join(other, 'records.jsonl'))
  const stepBytes = readFileSync(join(other, 'steps.jsonl')).length
  for (const one of [folder, other])
    expect(await bench(['--resume', one, '--quiet', '--trust-code'])).toMatchObject({ code: 0 })
  appendFileSync(join(folder, 'steps.jsonl'), readFileSync(join(other, 'steps.jsonl')).subarray(stepBytes))
  const second = wholeLines(join(other, 'records.jsonl')).filter((line) => !before.includes(line))
  expect(second.length).toBeGreaterThan(1)
  appendFileSync(join(folder, 'records.jsonl'), `${second.join('\n')}\n`)
  return folder
}

it('--repair removes duplicate records, voids duplicate calls, and reports both', async () => {
  const folder = await workedOnTwice()
  await refused(['--resume', folder], ['is a second record of trial', '--repair'])
  const paidBefore = asks(folder).length
  const { code, stderr } = await bench(['--resume', folder, '--repair', '--quiet'])
  expect(code).toBe(0)
  expect(stderr).toMatch(/removed duplicate records of trials: [0-9a-f]{12} \(1\)/)
  expect(stderr).toMatch(/billed duplicate calls as void.*: [0-9a-f]{12} \(\d+\)/)
  expect(stderr).toMatch(/run again; .*void: [0-9a-f]{12}/)
  const records = recordsOf(folder)
  expect(new Set(records.map(({ trial }) => trial)).size).toBe(6)
  expect(records).toHaveLength(6)
  // No paid call is lost: duplicate calls are in the ledger, but on no method's bill.
  expect(asks(folder).length).toBeGreaterThanOrEqual(paidBefore)
  expect(await bench(['report', folder])).toMatchObject({ code: 0 })
  expect(await bench(['replay', folder])).toMatchObject({ code: 0 })
  const again = await bench(['--resume', folder, '--repair', '--quiet'])
  expect(again.stderr).toContain('nothing to repair')
})

it('--repair keeps one of two identical records, and runs nothing again', async () => {
  const { folder, running, log } = await halfDone(99)
  expect(await running.ended).toMatchObject({ code: 0 })
  const path = join(folder, 'records.jsonl')
  const whole = readFileSync(path, 'utf8')
  appendFileSync(path, `${whole.split('\n')[1]}\n`)
  const calls = wholeLines(log).length
  const { code, stderr } = await bench(argv`--resume ${folder} --repair --quiet`, {
    env: { WORKER_LOG: log },
  })
  expect(code).toBe(0)
  expect(stderr).toContain('removed duplicate records of trials')
  expect(stderr).not.toContain('run again')
  expect(readFileSync(path, 'utf8')).toBe(whole)
  expect(wholeLines(log)).toHaveLength(calls)
})

it.each(['--take-over', '--repair'])('%s requires a run', async (flag) => {
  await refused([...plan, flag], [`[${flag}] requires --resume`])
})

const asks = (folder: string) => stepsOf(folder).filter(({ kind }) => kind === 'ask')
