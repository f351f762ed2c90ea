import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type PastSession, SessionLine } from '../../schema/ledger/session.ts'
import type { LimitUse } from '../../schema/limits.ts'
import type { StorageError } from '../../text/errors.ts'
import { addChecksum } from '../journal/checksum.ts'
import { journalFiles } from '../journal/journal.ts'
import { damagedLine, parseLine, readJournalLines } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'
import { type FolderLock, heartbeatMs, lockRunFolder } from './lock.ts'

const file = 'sessions.jsonl'

const remedy =
  'Put the file back from a copy of the run folder. Without one, remove it: the time that earlier sessions took is not counted then, and limits are those of run.json.'

/** The sessions of a run folder, in order. Throws `UserError` on a line that is none. */
export function readSessions(folder: string): PastSession[] {
  const sessions: PastSession[] = []
  const path = join(folder, file)
  for (const { text, place } of readJournalLines(path, remedy)) {
    const line = parseLine(text, SessionLine, place)
    const last = sessions.at(-1)
    if (line.type === 'begin') sessions.push({ ...line, end: undefined })
    else if (last && !last.end) last.end = line
    else throw damagedLine('ends a session that has not begun', place)
  }
  return sessions
}

/** What is noted of the end of a session. */
export interface SessionEnd {
  interrupted: boolean
  inVain: string | undefined
  limits: LimitUse[]
}

function reasonOf({ interrupted, limits }: SessionEnd, aborted: boolean) {
  if (!interrupted) return 'whole'
  return !aborted && limits.some(({ stopped }) => stopped) ? 'limit' : 'interrupted'
}

/**
 * Makes this process the only one on a run folder, like `lockRunFolder`, and notes the end of a session that was killed:
 * how long it had worked stands in the lock that it left.
 */
export function holdRunFolder(folder: string, onLost?: (error: StorageError) => void): FolderLock {
  const lock = lockRunFolder(folder, onLost)
  try {
    endKilledSession(folder, lock.killedMs)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Notes the end of a session that was killed; does nothing where the last one has ended. `heldMs`: how long it had held the
 * folder when it last renewed its lock, by a clock that nobody sets; where no lock tells, the wall clock must do.
 */
export function endKilledSession(folder: string, heldMs: number | undefined): void {
  const last = readSessions(folder).at(-1)
  if (!last || last.end) return
  const byWallClock = Math.max(0, lastWrite(folder) - Date.parse(last.startedAt))
  const ms =
    heldMs === undefined ? byWallClock : Math.min(Math.max(byWallClock, heldMs), heldMs + heartbeatMs)
  append(folder, { type: 'end', ms, reason: 'killed', limits: [] })
}

/** Notes that a session begins, and gives the real time of those before it in ms, and how to note its end. */
export function beginSession(
  folder: string,
  begun: Pick<PastSession, 'parallel' | 'budgets' | 'machine'>,
): { pastMs: number; end(ms: number, end: SessionEnd, aborted: boolean): void } {
  const pastMs = readSessions(folder).reduce((sum, { end }) => sum + (end?.ms ?? 0), 0)
  append(folder, { type: 'begin', startedAt: new Date().toISOString(), ...begun })
  return {
    pastMs,
    end: (ms, end, aborted) =>
      append(folder, {
        type: 'end',
        ms: Math.round(ms),
        reason: reasonOf(end, aborted),
        why: end.inVain,
        limits: end.limits,
        stepsBytes: wholeBytes(join(folder, journalFiles.steps)),
        recordsBytes: wholeBytes(join(folder, journalFiles.records)),
      }),
  }
}

function append(folder: string, line: SessionLine): void {
  const out = openLineFile(join(folder, file))
  out.append(addChecksum(JSON.stringify(line)))
  out.close()
}

/** The size of a file of lines; undefined where its last one was cut short, as on a full disk: the next session takes that away. */
function wholeBytes(path: string): number | undefined {
  const { size } = statSync(path)
  if (size === 0) return 0
  const file = openSync(path, 'r')
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  closeSync(file)
  return last[0] === 0x0a ? size : undefined
}

/** When the journal was last written to; ms since 1970. */
function lastWrite(folder: string): number {
  return Math.max(...Object.values(journalFiles).map((name) => writtenAt(join(folder, name))))
}

function writtenAt(path: string): number {
  return Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}
