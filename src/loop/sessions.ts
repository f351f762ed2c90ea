import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LimitUse } from '../schema/limits.ts'
import { type PastSession, SessionLine } from '../schema/session.ts'
import { openLineFile } from './durable.ts'
import { damaged, parseEntry } from './entries.ts'
import { journalFiles } from './journal.ts'
import { readLines } from './lines.ts'

const file = 'sessions.jsonl'

/** The sessions of a run folder, in order. Throws `UserError` on a line that is none. */
export function readSessions(folder: string): PastSession[] {
  const sessions: PastSession[] = []
  const path = join(folder, file)
  for (const { text, number } of readLines(path)) {
    const place = { where: `${path}:${number}`, remedy: 'Remove the line from the run folder.' }
    const line = parseEntry(text, SessionLine, place)
    const last = sessions.at(-1)
    if (line.type === 'begin') sessions.push({ ...line, end: undefined })
    else if (last && !last.end) last.end = line
    else throw damaged('ends a session that has not begun', place)
  }
  return sessions
}

interface HowItEnded {
  interrupted: boolean
  inVain: string | undefined
  limits: LimitUse[]
}

function reasonOf({ interrupted, limits }: HowItEnded, aborted: boolean) {
  if (!interrupted) return 'whole'
  return !aborted && limits.some(({ stopped }) => stopped) ? 'limit' : 'interrupted'
}

/** Notes that a session begins, and gives the real time of those before it in ms, and how to note its end. */
export function beginSession(
  folder: string,
  begun: Pick<PastSession, 'parallel' | 'budgets' | 'machine'>,
): { pastMs: number; end(ms: number, end: HowItEnded, aborted: boolean): void } {
  const sessions = readSessions(folder)
  const last = sessions.at(-1)
  const killed = last && !last.end ? Math.max(0, lastWrite(folder) - Date.parse(last.startedAt)) : undefined
  const pastMs = sessions.reduce((sum, { end }) => sum + (end?.ms ?? 0), killed ?? 0)
  const append = (...lines: SessionLine[]) => {
    const out = openLineFile(join(folder, file))
    for (const line of lines) out.append(JSON.stringify(line))
    out.close()
  }
  const begin: SessionLine = { type: 'begin', startedAt: new Date().toISOString(), ...begun }
  if (killed === undefined) append(begin)
  else append({ type: 'end', ms: killed, reason: 'killed', limits: [] }, begin)
  return {
    pastMs,
    end: (ms, end, aborted) =>
      append({
        type: 'end',
        ms: Math.round(ms),
        reason: reasonOf(end, aborted),
        why: end.inVain,
        limits: end.limits,
        stepsBytes: wholeBytes(join(folder, journalFiles.steps)),
      }),
  }
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
