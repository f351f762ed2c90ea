import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { followLines } from '../../../src/commands/view/follow-lines.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** Follows a file, and keeps what it hands on; `anew` stands for a new beginning. */
function followed() {
  const path = join(tempFolder(), 'lines.jsonl')
  const seen: string[] = []
  const next = followLines(path, {
    anew: () => void seen.push('anew'),
    line: (bytes, { number, offset }) => void seen.push(`${number}@${offset} ${bytes}`),
  })
  return {
    path,
    next,
    /** What is new since the last call. */
    async news() {
      expect(await next()).toBeUndefined()
      return seen.splice(0)
    },
  }
}

it('whole lines are handed on once, with their places, and a torn one when it is whole', async () => {
  const { path, news } = followed()
  expect(await news()).toEqual([])
  writeFileSync(path, 'one\ntw')
  expect(await news()).toEqual(['1@0 one'])
  expect(await news()).toEqual([])
  appendFileSync(path, 'o\n\nfour\n')
  expect(await news()).toEqual(['2@4 two', '3@8 ', '4@9 four'])
})

it('a file that was replaced, got shorter or was removed is read anew', async () => {
  const { path, news } = followed()
  writeFileSync(path, 'one\ntwo\n')
  await news()
  writeFileSync(`${path}.new`, 'two\none\n')
  renameSync(`${path}.new`, path)
  expect(await news()).toEqual(['anew', '1@0 two', '2@4 one'])
  truncateSync(path, 4)
  expect(await news()).toEqual(['anew', '1@0 two'])
  rmSync(path)
  expect(await news()).toEqual(['anew'])
  writeFileSync(path, 'three\n')
  expect(await news()).toEqual(['1@0 three'])
})

it('a link and a folder are not read, and it is said', async () => {
  const { path, next } = followed()
  writeFileSync(`${path}.secret`, 'secret\n')
  symlinkSync(`${path}.secret`, path)
  expect(await next()).toBe('lines.jsonl is a link, which is not followed')
  rmSync(path)
  mkdirSync(path)
  expect(await next()).toBe('lines.jsonl is not a file')
})

it('however a file grows, its lines are those of the whole file', async () => {
  const pieces = fc.array(fc.stringMatching(/^[a-z\n]{0,40}$/), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(pieces, async (written) => {
      const { path, news } = followed()
      const lines: string[] = []
      for (const piece of written) {
        appendFileSync(path, piece)
        lines.push(...(await news()))
      }
      const whole = written.join('').split('\n').slice(0, -1)
      expect(lines.map((line) => line.replace(/^\d+@\d+ /, ''))).toEqual(whole)
    }),
    { numRuns: 40 },
  )
})

it('a line that is longer than what is read at once is whole', async () => {
  const { path, news } = followed()
  const long = 'x'.repeat(3 * 1024 * 1024)
  writeFileSync(path, `${long}\nend\n`)
  expect((await news()).map((line) => line.length)).toEqual([
    long.length + 4,
    `2@${long.length + 1} end`.length,
  ])
})
