import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type LineFile, openLineFile } from '../../../src/loop/journal/line-file.ts'
import { readLines } from '../../../src/loop/journal/lines.ts'
import { storageError } from '../../../src/loop/journal/storage.ts'
import { readFirstManifest } from '../../../src/loop/record/run-folder.ts'
import { StorageError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

it('a line file removes an incomplete last line when it is opened', () => {
  const path = join(tempFolder(), 'steps.jsonl')
  writeFileSync(path, '{"a":1}\n{"b":2')
  const file = openLineFile(path)
  file.append('{"c":3}')
  file.close()
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"c":3}\n')
})

it('a line file that holds only an incomplete line is emptied, also if the line is longer than a batch', () => {
  const path = join(tempFolder(), 'steps.jsonl')
  writeFileSync(path, 'x'.repeat(200_000))
  openLineFile(path).close()
  expect(readFileSync(path, 'utf8')).toBe('')
})

it('a line file keeps a batch of at most 64 KiB and writes it when it is full', () => {
  const path = join(tempFolder(), 'steps.jsonl')
  const file = openLineFile(path)
  file.append('x'.repeat(1000))
  expect(readFileSync(path, 'utf8')).toBe('')
  for (let i = 0; i < 70; i++) file.append('x'.repeat(1000))
  const written = readFileSync(path, 'utf8').length
  expect(written).toBeGreaterThan(60 * 1024)
  expect(71 * 1001 - written).toBeLessThan(64 * 1024)
  file.close()
  expect(readFileSync(path, 'utf8').length).toBe(71 * 1001)
})

it('a line file has every line on the disk when its sync resolves, however many callers wait', async () => {
  const path = join(tempFolder(), 'steps.jsonl')
  const file = openLineFile(path)
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await Promise.resolve()
      file.append(`line ${i}`)
      await file.sync()
      expect(readFileSync(path, 'utf8')).toContain(`line ${i}\n`)
    }),
  )
  file.close()
})

it('beforeWrite can flush another file before the batch is written', () => {
  const folder = tempFolder()
  const first = openLineFile(join(folder, 'first'))
  const second = openLineFile(join(folder, 'second'), { beforeWrite: () => first.flush() })
  first.append('step')
  second.append('record')
  second.flush()
  expect(readFileSync(join(folder, 'first'), 'utf8')).toBe('step\n')
  first.close()
  second.close()
})

it('afterWrite can flush another file after the batch, each file in its own batches', () => {
  const folder = tempFolder()
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  const first: LineFile = openLineFile(join(folder, 'first'), { afterWrite: () => second.flush() })
  const second = openLineFile(join(folder, 'second'), { beforeWrite: () => first.flush() })
  first.append('step')
  second.append('record')
  first.flush()
  expect([text('first'), text('second')]).toEqual(['step\n', 'record\n'])
  const long = 'x'.repeat(100_000)
  second.append('another')
  second.append(long)
  first.append('step')
  first.append(long)
  second.append('last')
  second.flush()
  expect([text('first'), text('second')]).toEqual([
    `step\nstep\n${long}\n`,
    `record\nanother\n${long}\nlast\n`,
  ])
  first.close()
  second.close()
})

it('readLines returns lines with their places across chunk borders and Unicode, without an incomplete last line', () => {
  const path = join(tempFolder(), 'lines')
  const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'äß€😀'.repeat(i % 60)}`)
  lines.splice(1500, 0, 'é'.repeat(400_000))
  writeFileSync(path, `${lines.join('\n')}\n`)
  appendFileSync(path, 'torn')
  const bytes = readFileSync(path)
  const read = [...readLines(path)]
  expect(read.map(({ text }) => text)).toEqual(lines)
  for (const { text, offset, length } of read)
    expect(bytes.toString('utf8', offset, offset + length)).toBe(text)
})

it('a line file writes nothing after a failed write, reports the error once, and throws it to every later caller', async () => {
  // Every write to this device fails like a write to a full disk.
  const path = join(tempFolder(), 'steps.jsonl')
  symlinkSync('/dev/full', path)
  const errors: unknown[] = []
  const file = openLineFile(path, { onStorageError: (error) => errors.push(error) })
  file.append('{"a":1}')
  expect(() => file.flush()).toThrow(
    /steps\.jsonl\] cannot be written: the disk is full \(ENOSPC\)\. Free space/,
  )
  expect(() => file.append('{"b":2}')).toThrow(StorageError)
  await expect(file.sync()).rejects.toBe(errors[0])
  expect(() => file.close()).toThrow(StorageError)
  expect(errors).toHaveLength(1)
})

it('a storage error says what to do if the file size is limited', () => {
  // The error of a write under `ulimit -f`.
  const error = storageError('run/steps.jsonl', Object.assign(new Error('file too large'), { code: 'EFBIG' }))
  expect(error.message).toMatchSnapshot()
})

it('a batch is not written if beforeWrite throws', () => {
  const folder = tempFolder()
  symlinkSync('/dev/full', join(folder, 'first'))
  const first = openLineFile(join(folder, 'first'))
  const second = openLineFile(join(folder, 'second'), { beforeWrite: () => first.flush() })
  first.append('step')
  second.append('record')
  expect(() => second.close()).toThrow(/first\] cannot be written/)
  expect(readFileSync(join(folder, 'second'), 'utf8')).toBe('')
})

it('a line file reports that its file was removed', () => {
  const path = join(tempFolder(), 'steps.jsonl')
  const file = openLineFile(path)
  file.append('kept')
  file.flush()
  rmSync(path)
  file.append('lost')
  expect(() => file.flush()).toThrow(/it was removed during the run \(ENOENT\)/)
})

it.each(['run.json', 'records.jsonl', 'steps.jsonl'])(
  'a pipe in the place of %s is refused: nobody waits for its end',
  (name) => {
    const path = join(tempFolder(), name)
    expect(spawnSync('mkfifo', [path]).status).toBe(0)
    const read = () => (name === 'run.json' ? readFirstManifest(dirname(path)) : [...readLines(path)])
    expect(read).toThrow('is a pipe, a socket or a device')
  },
)
