import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Amendment } from '../../schema/run/amendment.ts'
import { addTimesum } from '../journal/checksum.ts'
import { damagedLine, parseLine, readJournalLines } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'

const file = 'amendments.jsonl'

const remedy =
  'Restore the file from a copy of the run folder: it says which tasks, agents and methods the later trials had.'

/** Reads the amendments of a run's plan, in order. Throws `UserError` for a damaged line. */
export function readAmendments(folder: string): Amendment[] {
  return [...readJournalLines(join(folder, file), remedy)].map(({ text, place, hasChecksum }) => {
    if (!hasChecksum) throw damagedLine('has no checksum', place)
    return parseLine(text, Amendment, place)
  })
}

/** Reports whether the plan of a run was ever changed. */
export const hasAmendments = (folder: string): boolean => existsSync(join(folder, file))

/** Appends an amendment. Resolves when it is durable. The caller holds the folder's lock. */
export async function appendAmendment(folder: string, amendment: Amendment): Promise<void> {
  const out = openLineFile(join(folder, file))
  try {
    out.append(addTimesum(JSON.stringify(amendment)))
    await out.sync()
  } finally {
    out.close()
  }
}
