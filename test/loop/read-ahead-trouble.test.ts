import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { linesAlone } from '../../src/loop/digested-lines.ts'
import { lineThread } from '../../src/loop/line-thread.ts'
import { readAhead } from '../../src/loop/read-ahead.ts'
import { seal } from '../../src/loop/seal.ts'
import { packageRoot } from '../../src/package-root.ts'
import { counted, linesRead, noShares, small } from '../helpers/lines-read.ts'
import { needs } from '../helpers/needs.ts'
import { tempFolder } from '../helpers/temp.ts'

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

needs('Linux').it(
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
