import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type PastSession, SessionLine } from '../../schema/ledger/session.ts'
import type { VerdictCounts } from '../../schema/ledger/verdict.ts'
import type { LimitUse } from '../../schema/limits.ts'
import type { WaitsLine } from '../../schema/run/people.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { StorageError } from '../../text/errors.ts'
import { addTimesum } from '../journal/checksum.ts'
import { journalFiles } from '../journal/journal.ts'
import { damagedLine, parseLine, readJournalLines } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'
import { sizesOf } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'
import { type FolderLock, heartbeatMs, lockRunFolder } from './lock.ts'

const file = runFiles.sessions

const remedy =
  'Restore the file from a copy of the run folder. Without a copy, remove it: then the time of earlier sessions is not counted, and the limits of run.json apply.'

/** Reads the sessions of a run folder, in order. Throws `UserError` for a damaged line. */
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

/**
 * Whether a run is over: each trial has a record, or its stop rule has settled it. A session that ended whole may have been one of a
 * shard, or of a plan that was smaller then.
 */
export const isOver = (
  { trials, comparison }: Pick<RunManifest, 'trials' | 'comparison'>,
  last: PastSession | undefined,
  recorded: number,
): boolean => recorded >= trials || (comparison?.stop !== undefined && last?.end?.reason === 'whole')

/** Says how a session that has not done its whole run has left it. A killed session has no end. */
export function leftState(last: PastSession | undefined) {
  switch (last?.end?.reason) {
    case 'limit':
      return 'stopped by a limit'
    case 'parked':
      return 'waiting for a person'
    case 'paused':
      return 'paused'
    default:
      return last?.end?.why === undefined ? 'interrupted' : 'stopped in vain'
  }
}

/** How a session ended. */
export interface SessionEnd {
  interrupted: boolean
  /** Why the run stopped after repeated failures; trials in flight were finished. */
  repeatedFailure: string | undefined
  /** The limits of the run and its methods, and how much of each is used. */
  limits: LimitUse[]
  /** Questions of trials that wait for a person. */
  waiting: readonly WaitsLine[]
  /** Whether `bench pause` stopped it. */
  paused: boolean
  /** How many verdicts of code came from a file; absent without one. */
  verdicts?: VerdictCounts | undefined
}

function reasonOf({ interrupted, repeatedFailure, limits, waiting, paused }: SessionEnd, aborted: boolean) {
  if (!interrupted) return 'whole'
  if (aborted) return 'interrupted'
  if (limits.some(({ stopped }) => stopped)) return 'limit'
  if (repeatedFailure !== undefined) return 'interrupted'
  return waiting.length > 0 ? 'parked' : paused ? 'paused' : 'interrupted'
}

/**
 * Locks a run folder like `lockRunFolder`, and records the end of a session that was killed. Its duration is in the lock that
 * it left.
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
 * Records the end of a session that was killed; does nothing if the last session has ended. `heldMs` is how long it had held the
 * folder when it last renewed its lock, by a monotonic clock; without it, the wall clock is used.
 */
export function endKilledSession(folder: string, heldMs: number | undefined): void {
  const last = readSessions(folder).at(-1)
  if (!last || last.end) return
  const byWallClock = Math.max(0, lastWrite(folder) - Date.parse(last.startedAt))
  const ms =
    heldMs === undefined ? byWallClock : Math.min(Math.max(byWallClock, heldMs), heldMs + heartbeatMs)
  append(folder, { type: 'end', ms, reason: 'killed', limits: [] })
}

/** Returns the real time that a run has taken, in ms: shards worked side by side, so the one that took longest counts. */
function pastTime(sessions: readonly PastSession[]): number {
  const ms = new Map<number, number>()
  for (const { shard, end } of sessions)
    ms.set(shard?.index ?? 0, (ms.get(shard?.index ?? 0) ?? 0) + (end?.ms ?? 0))
  const whole = ms.get(0) ?? 0
  ms.delete(0)
  return whole + Math.max(0, ...ms.values())
}

/** Records the beginning of a session. Returns the total time of earlier sessions in ms, and a function that records the end. */
export function beginSession(
  folder: string,
  begun: Pick<
    PastSession,
    | 'parallel'
    | 'budgets'
    | 'shard'
    | 'approve'
    | 'keepWorkspaces'
    | 'allowUnpriced'
    | 'machine'
    | 'sandbox'
    | 'verdicts'
  >,
): { pastMs: number; end(ms: number, end: SessionEnd, aborted: boolean): void } {
  const pastMs = pastTime(readSessions(folder))
  append(folder, { type: 'begin', startedAt: new Date().toISOString(), ...begun })
  return {
    pastMs,
    end: (ms, end, aborted) =>
      append(folder, {
        type: 'end',
        ms: Math.round(ms),
        reason: reasonOf(end, aborted),
        why: end.repeatedFailure,
        limits: end.limits,
        stepsBytes: bytesOf(join(folder, journalFiles.steps)),
        recordsBytes: bytesOf(join(folder, journalFiles.records)),
        ...(end.verdicts && { verdicts: end.verdicts }),
      }),
  }
}

function append(folder: string, line: SessionLine): void {
  const out = openLineFile(join(folder, file))
  out.append(addTimesum(JSON.stringify(line)))
  out.close()
}

/** Returns the size of a file; undefined if its last line is incomplete, as on a full disk, since the next session removes that line. */
function bytesOf(path: string): number | undefined {
  const { size, whole } = sizesOf(path)
  return whole === size ? size : undefined
}

function lastWrite(folder: string): number {
  return Math.max(...Object.values(journalFiles).map((name) => writtenAt(join(folder, name))))
}

function writtenAt(path: string): number {
  return Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}
