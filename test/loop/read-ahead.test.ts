import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DigestedLines } from '../../src/loop/data-digest.ts'
import { linesAlone } from '../../src/loop/digested-lines.ts'
import { readAhead } from '../../src/loop/read-ahead.ts'
import { readSummedRecords } from '../../src/loop/records.ts'
import { seal } from '../../src/loop/seal.ts'
import { anyRecord } from '../helpers/any-record.ts'
import { outcomeOf } from '../helpers/fuzz.ts'
import { counted, linesRead, noShares, small } from '../helpers/lines-read.ts'
import { damage } from '../helpers/mutations.ts'
import { record } from '../helpers/run-files.ts'
import { tempFolder } from '../helpers/temp.ts'

const recordsRead = (folder: string, lines: DigestedLines) =>
  outcomeOf(() => {
    const found: string[] = []
    readSummedRecords(folder, lines, (one) => found.push(JSON.stringify([one.trial, one])))
    return { found, digest: lines.digest.result() }
  })

it('finds the lines of any bytes, their sums and their digest, as a reader without a thread does, in blocks of any size', () => {
  const path = join(tempFolder(), 'lines')
  const sealed = fc.string().map((text) => seal(JSON.stringify({ text, wall: { ms: 1 } }), '}}'))
  const text = fc.oneof(
    ...[sealed, sealed, fc.string({ unit: 'binary' }), fc.constantFrom('', '\r', '\0', 'é 😀', ',"wall":')],
    fc
      .tuple(fc.constantFrom('x', '\0', ',"wall":', ',"wal,"wall":l'), fc.nat(600))
      .map(([piece, times]) => piece.repeat(times)),
  )
  const strange = fc.oneof(
    { weight: 9, arbitrary: text.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  )
  const some = (line: fc.Arbitrary<Buffer>) => fc.array(line, { maxLength: 150, size: 'max' })
  const lines = fc.oneof(some(sealed.map((line) => Buffer.from(line))), some(strange))
  const shares = noShares()
  fc.assert(
    fc.property(lines, fc.boolean(), fc.integer({ min: 64, max: 1024 }), (lines, isTorn, blockBytes) => {
      const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
      writeFileSync(path, isTorn ? bytes.subarray(0, -1) : bytes)
      expect(linesRead(path, readAhead(path, small(blockBytes)), shares)).toEqual(
        linesRead(path, linesAlone(path)),
      )
    }),
    { numRuns: 25 },
  )
  expect(shares.blocks).toBeGreaterThan(20)
})

it('reads damaged records as a reader without a thread does: the same records, the same digest, the same refusals', () => {
  const folder = tempFolder()
  const path = join(folder, 'records.jsonl')
  const trials = ['a', 'b', 'c', 'd'].map((trial) => trial.repeat(24))
  const records = fc.oneof(
    fc.tuple(...trials.map((trial) => anyRecord(fc.constant(trial)))),
    fc.constant(trials.map((trial) => record(trial))),
  )
  const shares = noShares()
  let refused = 0
  fc.assert(
    fc.property(records, fc.boolean(), damage, (records, isSealed, mutate) => {
      const lines = records.map((one) => JSON.stringify(one)).map((one) => (isSealed ? seal(one, '}}') : one))
      writeFileSync(path, mutate(Buffer.from(lines.map((line) => `${line}\n`).join(''))))
      const { blocks, digest } = readAhead(path, small(4096))
      const found = recordsRead(folder, { blocks: counted(blocks, shares), digest })
      expect(found).toEqual(recordsRead(folder, linesAlone(path)))
      if ('problems' in found) refused++
    }),
    { numRuns: 20 },
  )
  expect(refused).toBeGreaterThan(4)
  expect(shares.blocks).toBeGreaterThan(10)
})

it('reads lines that are longer than a block or than a thread holds, and what stands behind them', () => {
  const folder = tempFolder()
  const path = join(folder, 'records.jsonl')
  const long = new Map([
    [1000, 10_000],
    [2000, 900_000],
  ])
  const records = Array.from({ length: 3000 }, (_, number) => {
    const { wall, ...more } = record(number.toString(16).padStart(24, '0'))
    return { ...more, detail: 'x'.repeat(long.get(number) ?? 300), wall }
  })
  writeFileSync(path, records.map((one) => `${seal(JSON.stringify(one), '}}')}\n`).join(''))
  const shares = noShares()
  const { blocks, digest } = readAhead(path, small(4096))
  const found = recordsRead(folder, { blocks: counted(blocks, shares), digest })
  expect(found).toEqual(recordsRead(folder, linesAlone(path)))
  expect('read' in found && found.read.found.length).toBe(3000)
  expect(shares.blocks).toBeGreaterThan(250)
  expect(shares.alone).toBe(1000)
})

it('notices a changed verdict in a sealed line, wherever it stands', () => {
  const folder = tempFolder()
  const path = join(folder, 'records.jsonl')
  const lines = Array.from({ length: 100 }, (_, number) => {
    const one = { ...record(number.toString(16).padStart(24, '0')), passed: true }
    return `${seal(JSON.stringify(one), '}}')}\n`
  })
  for (const changed of [1, 50, 99]) {
    const line = lines[changed]?.replace('"passed":true', '"passed":null') as string
    writeFileSync(path, lines.with(changed, line).join(''))
    const shares = noShares()
    const { blocks, digest } = readAhead(path, small(4096))
    const found = recordsRead(folder, { blocks: counted(blocks, shares), digest })
    expect(found).toMatchObject({
      problems: [{ where: `${path}:${changed + 1}`, what: expect.stringMatching(/its sum is wrong/) }],
    })
    expect(shares.blocks).toBeGreaterThan(0)
    expect(shares.alone).toBe(0)
  }
})

it('finds nothing where there is no file, and names a folder that stands in its place', () => {
  const folder = tempFolder()
  const path = join(folder, 'records.jsonl')
  expect(linesRead(path, readAhead(path))).toEqual(linesRead(path, linesAlone(path)))
  mkdirSync(path)
  const found = linesRead(path, readAhead(path))
  expect(found).toEqual(linesRead(path, linesAlone(path)))
  expect('problems' in found && found.problems[0]?.what).toMatch(/is a folder/)
})
