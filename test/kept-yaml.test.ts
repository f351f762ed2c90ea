import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Problem } from '../src/errors.ts'
import { openKeptYaml, readOnce } from '../src/kept-yaml.ts'
import { readYaml } from '../src/yaml-file.ts'
import { tempFolder } from './helpers/temp.ts'

const Shape = z.strictObject({ name: z.string(), size: z.int().default(3) })

/** Reads by one process after the other; tells how often a text was really taken apart. */
function processes(folder = tempFolder()) {
  const path = join(folder, 'yaml.json')
  let reads = 0
  const start = (build = 'one') => {
    const kept = openKeptYaml(folder, build)
    const read = (text: string, kind = 'thing') => {
      const problems: Problem[] = []
      const file = kept.read(kind, text, () => {
        reads++
        return readYaml(text, 'thing.yaml', Shape, problems)
      })
      return { file, problems }
    }
    return { read, save: kept.save }
  }
  return { path, start, reads: () => reads }
}

it('takes a text apart once, and has the same of it in later processes, lines included', () => {
  const { path, start, reads } = processes()
  const first = start()
  const { file } = first.read('name: a\n\nsize: 4\n')
  first.save()
  // Answers may stand in it.
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o77).toBe(0)
  expect(reads()).toBe(1)
  const later = start().read('name: a\n\nsize: 4\n')
  expect(reads()).toBe(1)
  expect(later).toEqual({ file: { data: { name: 'a', size: 4 }, where: expect.any(Function) }, problems: [] })
  expect(later.file?.data).toEqual(file?.data)
  expect(later.file?.where('size')).toBe('thing.yaml:3 size')
  expect(later.problems).toEqual([])
})

it('takes another text, and one of another kind, for what it is', () => {
  const { start, reads } = processes()
  const { read } = start()
  expect(read('name: a').file?.data).toEqual({ name: 'a', size: 3 })
  expect(read('name: b').file?.data).toEqual({ name: 'b', size: 3 })
  read('name: a', 'other')
  expect(reads()).toBe(3)
})

it('takes nothing from another build, whose shapes may be others', () => {
  const { start, reads } = processes()
  for (const build of ['one', 'two', 'one', 'two']) {
    const { read, save } = start(build)
    read('name: a')
    save()
  }
  expect(reads()).toBe(2)
})

it('tells what is wrong with a text each time', () => {
  const { path, start } = processes()
  for (const _ of [1, 2]) {
    const { read, save } = start()
    expect(read('nam: a')).toEqual({
      file: undefined,
      problems: [expect.anything(), expect.objectContaining({ fix: 'Did you mean name?' })],
    })
    save()
  }
  expect(existsSync(path)).toBe(false)
})

it('reads again what was kept in a file that is damaged, and replaces it', () => {
  const { path, start, reads } = processes()
  const first = start()
  first.read('name: a')
  first.save()
  const whole = readFileSync(path, 'utf8')
  for (const damaged of ['', '[]', whole.slice(0, -9), whole.replace('\\"a\\"', '\\"b\\"'), `0\n${whole}`]) {
    expect(damaged).not.toBe(whole)
    writeFileSync(path, damaged)
    const before = reads()
    const { read, save } = start()
    expect(read('name: a').file?.data).toEqual({ name: 'a', size: 3 })
    expect(reads()).toBe(before + 1)
    save()
    expect(readFileSync(path, 'utf8')).toBe(whole)
  }
})

it('keeps the 500 texts that were last asked for, and none that is long', () => {
  const { start, reads } = processes()
  const first = start()
  for (let i = 0; i < 510; i++) {
    first.read(`name: n${i}`)
    first.read('name: n0')
  }
  first.read(`name: ${'long'.repeat(2000)}`)
  first.save()
  expect(reads()).toBe(511)
  const later = start()
  for (const name of ['n509', 'n11', 'n0']) later.read(`name: ${name}`)
  expect(reads()).toBe(511)
  later.read('name: n10')
  later.read(`name: ${'long'.repeat(2000)}`)
  expect(reads()).toBe(513)
})

it('writes nothing when nothing is new, and does without where it cannot write', () => {
  const { path, start } = processes()
  start().save()
  expect(existsSync(path)).toBe(false)
  const folder = tempFolder()
  const blocked = processes(folder)
  mkdirSync(blocked.path)
  const { read, save } = blocked.start()
  expect(read('name: a').file?.data).toEqual({ name: 'a', size: 3 })
  save()
  expect(readdirSync(folder)).toEqual(['yaml.json'])
})

it('keeps nothing of sources, which may change under it', () => {
  let reads = 0
  const read = () => {
    reads++
    return readYaml('name: a', 'thing.yaml', Shape, [])
  }
  readOnce('thing', 'name: a', read)
  readOnce('thing', 'name: a', read)
  expect(reads).toBe(2)
})
