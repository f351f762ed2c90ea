import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { openLineFile } from '../../src/loop/durable.ts'
import { openJournal } from '../../src/loop/journal.ts'
import type { CheckStep } from '../../src/schema/step.ts'
import { tempFolder } from '../helpers/temp.ts'

const counted = vi.hoisted(() => ({ syncs: 0 }))
// The real file system, with its syncs counted.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const fdatasync: typeof fs.fdatasync = Object.assign(
    (fd: number, callback: (error: NodeJS.ErrnoException | null) => void) => {
      counted.syncs++
      fs.fdatasync(fd, callback)
    },
    { __promisify__: fs.fdatasync.__promisify__ },
  )
  return { ...fs, fdatasync }
})
beforeEach(() => {
  counted.syncs = 0
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
const intent = (trial: string) => ({ trial, key: '#1', attempt: 1, agent: 'a', hash: 'h' })

it('shares one sync among all callers of a busy moment, each of whose lines is on the disk when it goes on', async () => {
  const path = join(tempFolder(), 'lines')
  const file = openLineFile(path)
  const callers = Array.from({ length: 40 }, async (_, i) => {
    // In turns of the event loop, so that they do not all come at once.
    for (let turn = 0; turn < i; turn++) await new Promise((resolve) => setImmediate(resolve))
    file.append(`line ${i}`)
    await file.sync()
    expect(readFileSync(path, 'utf8')).toContain(`line ${i}\n`)
  })
  await Promise.all(callers)
  expect(counted.syncs).toBeGreaterThan(0)
  expect(counted.syncs).toBeLessThan(20)
  file.close()
})

it('syncs before a paid call what its own trial did before it, and leaves the free steps of others for later', async () => {
  const folder = tempFolder()
  const journal = openJournal(folder)
  await journal.intent(intent('first'))
  const before = counted.syncs
  journal.step(check('other'))
  await journal.intent(intent('mine'))
  expect(counted.syncs - before).toBe(1)
  expect(readFileSync(join(folder, 'steps.jsonl'), 'utf8')).toBe('')
  journal.step(check('mine'))
  await journal.intent(intent('mine'))
  expect(counted.syncs - before).toBe(3)
  expect(readFileSync(join(folder, 'steps.jsonl'), 'utf8')).toContain('"trial":"mine"')
  journal.close()
})

it('does not let a paid call overtake a sync of its steps that another trial asked for', async () => {
  const folder = tempFolder()
  const journal = openJournal(folder)
  await journal.intent(intent('first'))
  journal.step(check('mine'))
  let synced = false
  const others = journal.syncSteps().then(() => {
    synced = true
  })
  await journal.intent(intent('mine'))
  expect(synced).toBe(true)
  await others
  journal.close()
})
