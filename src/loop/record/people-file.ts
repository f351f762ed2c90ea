import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PeopleLine } from '../../schema/run/people.ts'
import { UserError } from '../../text/errors.ts'
import { addTimesum } from '../journal/checksum.ts'
import { parseLine, readJournalLines } from '../journal/jsonl.ts'
import { sizesOf } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'
import { storageError, withStorageErrors } from '../journal/storage.ts'

/** Returns the path of the file that holds what people say about a run. */
export const peoplePath = (folder: string) => join(folder, runFiles.people)

const remedy = 'Remove the line. If a person gave an answer or guidance in it, say it again.'

/**
 * Appends a line durably, with one write. The run and commands of people append at the same time, so nobody may cut what another
 * has written or hold lines back. A disk that is full leaves no part of the line.
 */
export function appendPeopleLine(folder: string, line: PeopleLine): void {
  const path = peoplePath(folder)
  const bytes = Buffer.from(`${addTimesum(JSON.stringify(line))}\n`)
  withStorageErrors(path, () => {
    const file = openSync(path, 'a+')
    try {
      const written = writeSync(file, bytes)
      if (written < bytes.length) {
        cutEnd(file, bytes.subarray(0, written))
        throw storageError(path, Object.assign(new Error('no space'), { code: 'ENOSPC' }))
      }
      fdatasyncSync(file)
    } finally {
      closeSync(file)
    }
  })
}

/** Removes the beginning of a line that did not fit, if the file still ends with it. */
function cutEnd(file: number, begin: Buffer): void {
  const start = fstatSync(file).size - begin.length
  const end = Buffer.alloc(begin.length)
  readSync(file, end, 0, end.length, start)
  if (end.equals(begin)) ftruncateSync(file, start)
}

/** Reads the whole lines. A last line that is cut off is left out, since another process may be writing it. Throws `UserError` for a damaged line. */
export function readPeopleLines(folder: string): PeopleLine[] {
  const path = peoplePath(folder)
  return [...readJournalLines(path, remedy)].map(({ text, place }) => parseLine(text, PeopleLine, place))
}

/** Reads all lines. Throws `UserError` for a damaged line, and for a last line that a crash cut off. */
export async function readPeople(folder: string): Promise<PeopleLine[]> {
  const path = peoplePath(folder)
  for (let tries = 0; endsInLine(path); tries++) {
    // A line that another process is writing is whole in a moment.
    if (tries === 5)
      throw new UserError({
        where: `${path}:${readPeopleLines(folder).length + 1}`,
        what: 'is cut off, as by a crash or a full disk',
        fix: remedy,
      })
    await sleep(20)
  }
  return readPeopleLines(folder)
}

/** Whether the last line of a file has no end. */
function endsInLine(path: string): boolean {
  try {
    const { size, whole } = sizesOf(path)
    return whole < size
  } catch {
    // A folder at this path is reported when its lines are read.
    return false
  }
}
