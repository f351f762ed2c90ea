import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dataDigest } from '../../src/loop/data-digest.ts'
import { linesAlone } from '../../src/loop/digested-lines.ts'
import { type Cursor, number } from '../../src/loop/json-bytes.ts'
import { readLineBytes } from '../../src/loop/lines.ts'
import { createRecordReader } from '../../src/loop/record-bytes.ts'
import { readRecords, readSummedRecords } from '../../src/loop/records.ts'
import { seal } from '../../src/loop/seal.ts'
import type { SummedRecord, TrialRecord } from '../../src/schema/record.ts'
import { anyRecord } from '../helpers/any-record.ts'
import { outcomeOf } from '../helpers/fuzz.ts'
import { damage } from '../helpers/mutations.ts'
import { record } from '../helpers/run-files.ts'
import { tempFolder } from '../helpers/temp.ts'

/** All that `readSummedRecords` gives, as sums see it. */
function quickly(folder: string, lines = alone(folder)): SummedRecord[] {
  const found: SummedRecord[] = []
  readSummedRecords(folder, lines, (record) => found.push(seen(record)))
  return found
}

const alone = (folder: string) => linesAlone(join(folder, 'records.jsonl'))

const id = fc.stringMatching(/^[0-9a-f]{24}$/)

/** What sums see of a record, however it was read. */
function seen(record: SummedRecord | TrialRecord): SummedRecord {
  const { state, delivered, outcome, candidates } = record
  const { schemaVersion, detail, scores, answer, retries, waitMs, ...more } = record as TrialRecord
  const { overshoot, interventions, history, sandbox, wall, ...rest } = more
  return {
    ...rest,
    trial: record.trial,
    // The next record may come in the same objects.
    spent: { ...record.spent },
    outcome: { status: outcome.status },
    delivered: candidates || delivered === null ? delivered : undefined,
    state: state?.collaboration === undefined ? undefined : { collaboration: state.collaboration },
  }
}

const linesOf = (records: readonly TrialRecord[], sealed: boolean) =>
  records.map((record) => {
    const line = JSON.stringify(record)
    return `${sealed ? seal(line, '}}') : line}\n`
  })

it('reads every line that bench writes without parsing it, and finds what a parser finds', () => {
  const path = join(tempFolder(), 'records.jsonl')
  fc.assert(
    fc.property(fc.array(anyRecord(id), { minLength: 1, maxLength: 5 }), fc.boolean(), (records, sealed) => {
      writeFileSync(path, linesOf(records, sealed).join(''))
      const read = createRecordReader()
      const found = Array.from(readLineBytes(path), (line) => {
        const quick = read(line)
        return quick && seen(quick.record)
      })
      expect(found).toEqual(records.map(seen))
    }),
    { numRuns: 60 },
  )
})

it('reads damaged files as a parser does: the same records, the same digest of their data, the same refusals', () => {
  const folder = tempFolder()
  const path = join(folder, 'records.jsonl')
  const trials = ['a', 'b', 'c', 'd'].map((trial) => trial.repeat(24))
  const whole = fc.tuple(...trials.map((trial) => anyRecord(fc.constant(trial))))
  const plain = fc.constant(trials.map((trial) => record(trial)))
  let refused = 0
  fc.assert(
    fc.property(fc.oneof(whole, plain), fc.boolean(), damage, (records, sealed, mutate) => {
      writeFileSync(path, mutate(Buffer.from(linesOf(records, sealed).join(''))))
      const lines = alone(folder)
      const quick = outcomeOf(() => quickly(folder, lines))
      const slow = outcomeOf(() => Array.from(readRecords(folder), seen))
      expect(quick).toEqual(slow)
      if ('problems' in quick) refused++
      else expect(lines.digest.result()).toBe(dataDigest(folder))
    }),
    { numRuns: 200 },
  )
  expect(refused).toBeGreaterThan(60)
})

it('notices a changed verdict in a sealed line, and one that lost its seal', () => {
  const folder = tempFolder()
  const path = join(folder, 'records.jsonl')
  const lines = linesOf([record('a'), record('b'), record('c')], true)
  const told = (last: string) => {
    writeFileSync(path, [...lines.slice(0, 2), last].join(''))
    const outcome = outcomeOf(() => quickly(folder))
    return 'problems' in outcome ? outcome.problems[0]?.what : outcome.read.length
  }
  expect(told(lines[2] as string)).toBe(3)
  expect(told(lines[2]?.replace('"passed":true', '"passed":false') as string)).toMatch(/its sum is wrong/)
  expect(told(linesOf([record('c')], false)[0] as string)).toMatch(/has lost its sum/)
})

it('finds a second record of a trial, and goes on behind a line of another form, wherever they stand among whole ones', () => {
  const folder = tempFolder()
  const hex = (number: number) => number.toString(16).padStart(24, '0')
  const count = 12
  fc.assert(
    fc.property(
      fc.nat(count - 1),
      fc.nat(count - 1),
      fc.nat(2),
      fc.boolean(),
      (first, second, form, sealed) => {
        const records = Array.from({ length: count }, (_, number) => record(hex(number + 1)))
        const [one, other] = [records[first] as TrialRecord, records[second] as TrialRecord]
        // As no file of bench's has it: its name elsewhere, and another where it should stand.
        const { schemaVersion, suite, ...more } = one
        if (form === 1) records[first] = { schemaVersion, suite: hex(second + 99), ...more }
        if (form === 2) records[second] = { ...other, trial: one.trial }
        writeFileSync(join(folder, 'records.jsonl'), linesOf(records, sealed).join(''))
        const slow = outcomeOf(() => Array.from(readRecords(folder), seen))
        expect(outcomeOf(() => quickly(folder))).toEqual(slow)
        expect('problems' in slow).toBe(form === 2 && first !== second)
      },
    ),
    { numRuns: 60 },
  )
})

it('reads lines that are longer than a chunk, and what stands behind them', () => {
  const folder = tempFolder()
  const records = ['a', 'b', 'c'].map((trial) => ({ ...record(trial), detail: trial.repeat(900_000) }))
  writeFileSync(join(folder, 'records.jsonl'), linesOf(records, false).join(''))
  appendFileSync(join(folder, 'records.jsonl'), JSON.stringify(record('torn')))
  const lines = alone(folder)
  expect(quickly(folder, lines)).toEqual(records.map(seen))
  expect(lines.digest.result()).toBe(dataDigest(folder))
  expect(readFileSync(join(folder, 'records.jsonl')).length).toBeGreaterThan(2_700_000)
})

it('reads a number as JSON.parse does, and refuses what JSON.parse refuses or finds infinite', () => {
  const digits = fc.stringMatching(/^-?[0-9]{0,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{0,3})?$/)
  const numbers = fc.double().map((value) => String(value))
  fc.assert(
    fc.property(fc.oneof(digits, numbers, fc.constantFrom('-0', '00', '1e', '.5', '5.', '1e999')), (text) => {
      const bytes = Buffer.from(`${text}\n`)
      const cursor: Cursor = { bytes, view: new DataView(bytes.buffer), content: 1, at: 0, number: 0 }
      const read = number(cursor) && cursor.at === text.length ? cursor.number : undefined
      expect(read).toBe(parsed(text))
    }),
    { numRuns: 500 },
  )
})

function parsed(text: string): number | undefined {
  try {
    const value: number = JSON.parse(text)
    return Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}
