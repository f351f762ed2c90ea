import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openJournal } from '../../../src/loop/journal/journal.ts'
import { allSteps } from '../../../src/loop/journal/ledger-index.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { record } from '../../helpers/runs/run-files.ts'

/** Returns the message of the user error. */
function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  throw new Error('no error was thrown')
}

it.each([
  ['steps.jsonl', (folder: string) => [...allSteps(folder)]],
  ['records.jsonl', (folder: string) => [...readRecords(folder)]],
  ['steps.jsonl', (folder: string) => openJournal(folder, { checksums: false })],
])('a folder in place of %s is reported with a remedy', (file, read) => {
  const folder = tempFolder()
  mkdirSync(join(folder, file))
  expect(messageOf(() => read(folder))).toBe(
    `[${join(folder, file)}] is a folder, but bench expects a file of the run here. Restore the file. Without a copy of it, remove the folder: bench repeats the work that the file recorded.`,
  )
})

it('a second record of a trial is reported with --repair as the remedy', () => {
  const folder = tempFolder()
  const journal = openJournal(folder, { checksums: false })
  journal.record(record('a'))
  journal.close()
  const path = join(folder, 'records.jsonl')
  appendFileSync(path, readFileSync(path))
  expect(messageOf(() => [...readRecords(folder)])).toBe(
    `[${path}:2] is a second record of trial a. Two processes of bench worked on this folder at the same time. bench run --resume RUN --repair removes duplicates and lists them.`,
  )
})
