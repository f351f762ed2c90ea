import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noBudgets } from '../../../src/loop/budget/run-budget.ts'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import { noteInterimLook } from '../../../src/loop/record/interim-looks.ts'
import { beginSession, holdRunFolder, readSessions } from '../../../src/loop/record/sessions.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** A run folder whose only session was killed; it began at this time, and had held the folder for `heldMs` when it last renewed its lock. */
function killed(startedAt: string, heldMs: number | undefined) {
  const folder = tempFolder()
  for (const file of ['steps.jsonl', 'records.jsonl', 'events.jsonl']) writeFileSync(join(folder, file), '')
  const begin = { type: 'begin', startedAt, parallel: 1, budgets: noBudgets }
  writeFileSync(join(folder, 'sessions.jsonl'), `${addTimesum(JSON.stringify(begin))}\n`)
  // The real process 1 has another start time.
  const lock = { pid: 1, started: '1', ...(heldMs !== undefined && { ms: heldMs }) }
  writeFileSync(join(folder, 'lock'), JSON.stringify(lock))
  return folder
}

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

describe('the time of a session that was killed', () => {
  it.each([
    ['is that of the wall clock if it agrees with the lock', ago(61_000), 60_000, 61_000],
    [
      'is that of the lock plus a heartbeat if the clock was put forward',
      ago(30 * 365 * 86_400_000),
      60_000,
      62_000,
    ],
    ['is that of the lock if the clock was put back', ago(-86_400_000), 60_000, 60_000],
    ['is that of the wall clock without a lock', ago(61_000), undefined, 61_000],
    ['is zero without a lock if the clock was put back', ago(-86_400_000), undefined, 0],
  ])('%s', (_, startedAt, heldMs, expected) => {
    const folder = killed(startedAt, heldMs)
    holdRunFolder(folder).release()
    const end = readSessions(folder)[0]?.end
    expect(end?.reason).toBe('killed')
    expect(Math.abs((end?.ms ?? -1) - expected)).toBeLessThan(1500)
    // The next session does not count it again.
    const { release } = holdRunFolder(folder)
    expect(beginSession(folder, { parallel: 1, budgets: noBudgets }).pastMs).toBe(end?.ms)
    release()
  })
})

describe('a line of sessions.jsonl', () => {
  it('is refused if a digit in it was changed', () => {
    const folder = killed(ago(5000), 5000)
    const path = join(folder, 'sessions.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"parallel":1', '"parallel":9'))
    expect(() => readSessions(folder)).toThrow(/sessions\.jsonl:1.*sum is wrong.*remove it/)
  })
})

describe('an interim look', () => {
  needs('Linux').it('is not recorded in a read-only folder', () => {
    expect(noteInterimLook('/sys', { records: 1, command: 'bench report' })).toBe(false)
  })

  it('is recorded in a writable folder', () => {
    const folder = join(tempFolder(), 'run')
    mkdirSync(folder)
    expect(noteInterimLook(folder, { records: 1, command: 'bench report' })).toBe(true)
  })
})
