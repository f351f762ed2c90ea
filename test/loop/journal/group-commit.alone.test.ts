import { readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { emptyLedgerChecksum } from '../../../src/loop/journal/checksum.ts'
import { openJournal } from '../../../src/loop/journal/journal.ts'
import { openLineFile } from '../../../src/loop/journal/line-file.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import type { CheckStep, Intent } from '../../../src/schema/ledger/step.ts'
import type { StorageError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { record } from '../../helpers/runs/run-files.ts'

const disk = vi.hoisted(() => ({
  syncs: 0,
  /** The result of the next sync, and when it ends. */
  verdict: undefined as Promise<NodeJS.ErrnoException | null> | undefined,
}))
// The real file system; its syncs are counted and can be delayed or fail.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const fdatasync: typeof fs.fdatasync = Object.assign(
    (fd: number, callback: (error: NodeJS.ErrnoException | null) => void) => {
      disk.syncs++
      const { verdict } = disk
      disk.verdict = undefined
      fs.fdatasync(fd, (error) => (verdict ? void verdict.then(callback) : callback(error)))
    },
    { __promisify__: fs.fdatasync.__promisify__ },
  )
  return { ...fs, fdatasync }
})
beforeEach(() => {
  disk.syncs = 0
  disk.verdict = undefined
})

const check = (trial: string): CheckStep => ({
  trial,
  key: '#0',
  attempt: 1,
  kind: 'check',
  payer: 'method',
  hash: 'h',
  at: 0,
  durationMs: 0,
  status: 'passed',
  passed: 1,
  total: 1,
  output: '',
})
const intent = (trial: string, key = '#1'): Intent => ({
  trial,
  key,
  attempt: 1,
  kind: 'intent',
  agent: 'a',
  hash: 'h',
})
const soon = (ms = 1) => new Promise((resolve) => setTimeout(resolve, ms))
const text = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')
// These tests do not use checksums.
const checksum = emptyLedgerChecksum()

it('callers at about the same time share one sync, and the line of each is on the disk when it continues', async () => {
  const path = join(tempFolder(), 'lines')
  const file = openLineFile(path)
  const callers = Array.from({ length: 40 }, async (_, i) => {
    // The callers come one per turn of the event loop.
    for (let turn = 0; turn < i; turn++) await new Promise((resolve) => setImmediate(resolve))
    file.append(`line ${i}`)
    await file.sync(5)
    expect(readFileSync(path, 'utf8')).toContain(`line ${i}\n`)
  })
  await Promise.all(callers)
  expect(disk.syncs).toBeGreaterThan(0)
  expect(disk.syncs).toBeLessThan(20)
  file.close()
})

it('a shared sync begins when one of its callers does not wait', async () => {
  const file = openLineFile(join(tempFolder(), 'lines'))
  file.append('line')
  let patient = false
  void file.sync(60_000).then(() => {
    patient = true
  })
  await file.sync()
  expect(patient).toBe(true)
  expect(disk.syncs).toBe(1)
  file.close()
})

it('close makes lines durable that a caller still waits for', async () => {
  const file = openLineFile(join(tempFolder(), 'lines'))
  file.append('line')
  const waiting = file.sync(60_000)
  file.close()
  await waiting
})

it('a paid call goes out when its intent and all lines before it are durable, in one sync', async () => {
  const folder = tempFolder()
  const journal = openJournal(folder)
  journal.step(check('mine'), checksum)
  let isOut = false
  let end = (_: null) => {}
  disk.verdict = new Promise((resolve) => {
    end = resolve
  })
  const out = journal.intent(intent('mine'), checksum).then(() => {
    isOut = true
  })
  await soon(20)
  expect(text(folder, 'steps.jsonl')).toMatch(/"kind":"check".*\n.*"kind":"intent".*\n$/)
  expect(isOut).toBe(false)
  end(null)
  await out
  expect(disk.syncs).toBe(1)
  journal.close()
})

it('a paid call does not rely on a sync that began before its intent', async () => {
  const journal = openJournal(tempFolder())
  journal.step(check('other'), checksum)
  let end = (_: null) => {}
  disk.verdict = new Promise((resolve) => {
    end = resolve
  })
  const other = journal.syncSteps()
  await soon()
  let isOut = false
  const out = journal.intent(intent('mine'), checksum).then(() => {
    isOut = true
  })
  await soon(20)
  expect(isOut).toBe(false)
  end(null)
  await Promise.all([other, out])
  expect(disk.syncs).toBe(2)
  journal.close()
})

it('a paid result is written immediately, and synced with the next paid call or soon after', async () => {
  const folder = tempFolder()
  const journal = openJournal(folder)
  await journal.intent(intent('mine'), checksum)
  journal.step(check('mine'), checksum)
  journal.callEnded()
  expect(text(folder, 'steps.jsonl')).toContain('"kind":"check"')
  expect(disk.syncs).toBe(1)
  await journal.intent(intent('mine', '#2'), checksum)
  expect(disk.syncs).toBe(2)
  journal.callEnded()
  journal.step(check('mine'), checksum)
  await journal.intent(intent('mine', '#3'), checksum)
  journal.step(check('mine'), checksum)
  journal.callEnded()
  await vi.waitUntil(() => disk.syncs === 4)
  journal.close()
})

it('calls that begin and end at about the same time share syncs', async () => {
  const journal = openJournal(tempFolder())
  const calls = 20
  const worker = async (trial: string) => {
    for (let i = 0; i < calls; i++) {
      await journal.intent(intent(trial, `#${i}`), checksum)
      await soon(3)
      journal.step(check(trial), checksum)
      journal.callEnded()
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(worker))
  await journal.persist()
  // One sync per intent and per result would be 160.
  expect(disk.syncs).toBeLessThan(80)
  journal.close()
})

it('the record of a paid trial is written when its steps are durable', async () => {
  const folder = tempFolder()
  const journal = openJournal(folder)
  await journal.intent(intent('mine'), checksum)
  journal.step(check('mine'), checksum)
  journal.callEnded()
  let end = (_: null) => {}
  disk.verdict = new Promise((resolve) => {
    end = resolve
  })
  journal.record(record('mine'))
  journal.record(record('next'))
  journal.flushRecords()
  await vi.waitUntil(() => disk.syncs === 2)
  await soon(20)
  expect(text(folder, 'records.jsonl')).toBe('')
  end(null)
  await journal.persist()
  expect([...readRecords(folder)].map(({ trial }) => trial)).toEqual(['mine', 'next'])
  journal.close()
})

it('a record is not written if its steps could not be synced, and the error is reported', async () => {
  const folder = tempFolder()
  const errors: StorageError[] = []
  const journal = openJournal(folder, { onStorageError: (error) => errors.push(error) })
  await journal.intent(intent('mine'), checksum)
  journal.step(check('mine'), checksum)
  disk.verdict = Promise.resolve(Object.assign(new Error('input/output error'), { code: 'EIO' }))
  journal.callEnded()
  journal.record(record('mine'))
  await vi.waitUntil(() => errors.length > 0)
  expect(errors[0]?.message).toMatch(/steps\.jsonl.*cannot be read or written \(EIO\)/)
  await expect(journal.intent(intent('mine', '#2'), checksum)).rejects.toThrow(/EIO/)
  await expect(journal.persist()).rejects.toThrow(/EIO/)
  expect(() => journal.close()).toThrow(/EIO/)
  expect(text(folder, 'records.jsonl')).toBe('')
})

it('all steps are written if the records file fails, and the error is reported once', () => {
  const folder = tempFolder()
  const errors: StorageError[] = []
  const journal = openJournal(folder, { onStorageError: (error) => errors.push(error) })
  const keys = Array.from({ length: 30 }, (_, index) => `#${index}`)
  journal.record(record('before'))
  unlinkSync(join(folder, 'records.jsonl'))
  // The steps fill several batches, and one step is larger than a batch.
  for (const key of keys)
    journal.step({ ...check('mine'), key, output: 'x'.repeat(key === '#20' ? 30_000 : 5_000) }, checksum)
  expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(/records\.jsonl.*removed/)])
  expect(() => journal.record(record('mine'))).toThrow(/removed/)
  expect(() => journal.close()).toThrow(/records\.jsonl.*removed/)
  expect(errors).toHaveLength(1)
  const lines = text(folder, 'steps.jsonl').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).key)).toEqual(keys)
})
