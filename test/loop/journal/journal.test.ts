import { expect, it } from 'vitest'
import { openJournal } from '../../../src/loop/journal/journal.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { record } from '../../helpers/runs/run-files.ts'

it.each([
  ['can be read as soon as the trial has ended in real time', true, 1],
  ['waits for others in virtual time', false, 0],
])('the record of a free trial %s', (_, checksums, count) => {
  const folder = tempFolder()
  const journal = openJournal(folder, { checksums })
  journal.record(record('t1'))
  expect([...readRecords(folder)]).toHaveLength(count)
  journal.close()
  expect([...readRecords(folder)]).toHaveLength(1)
})
