import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { type DigestedLines, dataEnd } from '../../src/loop/data-digest.ts'
import { linesAlone } from '../../src/loop/digested-lines.ts'
import { type LineThread, lineThread } from '../../src/loop/line-thread.ts'
import { type Line, type LineBlock, lineOf, linesOf } from '../../src/loop/lines.ts'
import { readAhead } from '../../src/loop/read-ahead.ts'
import { readSummedRecords } from '../../src/loop/records.ts'
import { recordSealBytes, seal } from '../../src/loop/seal.ts'
import { packageRoot } from '../../src/package-root.ts'
import { anyRecord } from '../helpers/any-record.ts'
import { outcomeOf } from '../helpers/fuzz.ts'
import { damage } from '../helpers/mutations.ts'
import { record } from '../helpers/run-files.ts'
import { tempFolder } from '../helpers/temp.ts'

/** How many blocks a thread made, and how many lines came in others: a test of threads is none where none read anything. */
interface Shares {
  blocks: number
  alone: number
}

const noShares = (): Shares => ({ blocks: 0, alone: 0 })

/** The same blocks; of those of a thread it checks the sums. */
function* counted(blocks: Iterable<LineBlock>, shares: Shares): Generator<LineBlock> {
  for (const block of blocks) {
    if (block.sums) shares.blocks++
    else shares.alone += block.count
    for (let index = 0, start = 0; block.sums && index < block.count; index++) {
      const end = block.ends[index] as number
      if (end - start > recordSealBytes)
        expect(block.sums[index]).toBe(crc32(block.bytes.subarray(start, end - recordSealBytes)) | 0)
      start = end + 1
    }
    yield block
  }
}

const small = (blockBytes: number): LineThread => ({ ...lineThread(), blockBytes })

/** All lines with their places, and the digest of their data; or what is wrong with one. */
const linesRead = (path: string, { blocks, digest }: DigestedLines, shares = noShares()) =>
  outcomeOf(() => {
    const lines: Line[] = []
    for (const line of linesOf(counted(blocks, shares), path)) {
      digest.add(line, dataEnd(line))
      lines.push(lineOf(line))
    }
    return { lines, digest: digest.result() }
  })

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

const manyLines = Array.from(
  { length: 400 },
  (_, number) => `${seal(JSON.stringify({ number, wall: { ms: 1 } }), '}}')}\n`,
).join('')
const program = JSON.stringify(pathToFileURL(lineThread().program).href)
/** Does this before the third block. */
const atThird = (what: string) => `
  const { load } = Atomics
  let left = 3
  Atomics.load = (...asked) => {
    if (--left === 0) ${what}
    return load(...asked)
  }
  await import(${program})`
const hang = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
/** All lines with their places, and the digest of their data, of a file with which this is done after the first block. */
function linesReadWhile(path: string, change: () => void) {
  const { blocks, digest } = readAhead(path, small(1024))
  function* changed() {
    let isFirst = true
    for (const block of blocks) {
      yield block
      if (isFirst) change()
      isFirst = false
    }
  }
  const shares = noShares()
  const read = linesRead(path, { blocks: counted(changed(), shares), digest })
  expect(shares.blocks).toBeGreaterThan(10)
  return read
}

it('reads what is added to a file meanwhile, and ends where one was cut meanwhile', () => {
  const path = join(tempFolder(), 'lines')
  writeFileSync(path, manyLines)
  // The thread holds eight blocks ahead and no more.
  const grown = linesReadWhile(path, () => appendFileSync(path, `${manyLines}torn`))
  expect(grown).toEqual(linesRead(path, linesAlone(path)))
  expect('read' in grown && grown.read.lines.length).toBe(800)
  const cut = linesReadWhile(path, () => truncateSync(path, 12_345))
  expect(cut).toEqual(linesRead(path, linesAlone(path)))
  expect('read' in cut && cut.read.lines.at(-1)?.number).toBeLessThan(300)
})

it.runIf(process.platform === 'linux')(
  'tells of a file that the system does not read what a reader without a thread tells',
  () => {
    const unreadable = '/proc/self/mem'
    const { blocks, note } = readAhead(unreadable)
    expect(() => [...blocks]).toThrow(/EIO/)
    expect(() => [...linesAlone(unreadable).blocks]).toThrow(/EIO/)
    expect(note?.()).toBeUndefined()
  },
)

const silent = /it was silent for \d+ ms/
const broken: readonly (readonly [string, string, RegExp])[] = [
  ['has no program that can be read', 'this is no program', silent],
  ['never says anything', 'setInterval(() => undefined, 1000)', silent],
  ['ends in the midst of the file', atThird('process.exit()'), silent],
  ['throws in the midst of the file', atThird("throw new Error('thrown')"), /Error: thrown/],
  ['hangs in the midst of the file', atThird(hang), silent],
]
for (const [what, text, told] of broken)
  it(`goes on alone where the thread ${what}, and says so`, () => {
    const folder = tempFolder()
    const path = join(folder, 'lines')
    writeFileSync(path, manyLines)
    const begins = text.includes(program)
    const thread = { ...small(1024), program: join(folder, 'program.mjs'), patienceMs: begins ? 1000 : 200 }
    writeFileSync(thread.program, text)
    const shares = noShares()
    const lines = readAhead(path, thread)
    expect(linesRead(path, lines, shares)).toEqual(linesRead(path, linesAlone(path)))
    expect(shares.blocks).toBe(begins ? 2 : 0)
    expect(shares.alone).toBeGreaterThan(200)
    expect(lines.note?.()).toMatch(told)
  })

it('ends its thread when nobody reads on', async () => {
  const folder = tempFolder()
  const path = join(folder, 'lines')
  const ended = join(folder, 'ended')
  writeFileSync(path, manyLines)
  const thread = { ...small(1024), program: join(folder, 'program.mjs') }
  const noteEnd = `process.once('exit', () => writeFileSync(${JSON.stringify(ended)}, ''))`
  writeFileSync(
    thread.program,
    `import { writeFileSync } from 'node:fs'\n${noteEnd}\nawait import(${program})`,
  )
  const shares = noShares()
  for (const _ of counted(readAhead(path, thread).blocks, shares)) {
    // Until it waits for room.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    break
  }
  expect(shares.blocks).toBe(1)
  await vi.waitFor(() => expect(existsSync(ended)).toBe(true), 5000)
})

/** The arguments of a process that reads with a thread that hangs, and tells the number of lines after each block. */
function readerOfHanging(folder: string, patienceMs: number): [string, string[], { cwd: string }] {
  writeFileSync(join(folder, 'lines'), manyLines)
  writeFileSync(join(folder, 'program.mjs'), atThird(hang))
  const built = pathToFileURL(join(packageRoot(), 'dist/src/loop/read-ahead.js')).href
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { readAhead } from ${JSON.stringify(built)}
    let lines = 0
    const thread = { program: './program.mjs', blockBytes: 1024, patienceMs: ${patienceMs} }
    for (const { count } of readAhead('lines', thread).blocks) console.log((lines += count))`,
  )
  return [process.execPath, ['main.mjs'], { cwd: folder }]
}

it('lets its process end while the thread hangs', () => {
  const [node, args, options] = readerOfHanging(tempFolder(), 200)
  const { stdout, status } = spawnSync(node, args, { ...options, encoding: 'utf8', timeout: 20_000 })
  expect([stdout.split('\n').at(-2), status]).toEqual(['400', 0])
})

it('ends by Ctrl-C while it waits for the thread', async () => {
  const reader = spawn(...readerOfHanging(tempFolder(), 60_000))
  const ended = once(reader, 'exit')
  await once(reader.stdout, 'data')
  reader.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
})
