import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readReplies } from '../../src/recorded/read-replies.ts'
import { UserError } from '../../src/text/errors.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { folderOf } from '../helpers/machine/temp.ts'

const header = (fields: object = {}) => ({
  ...{ format: 'bench-replies-1', model: 'm', source: 'a/b, commit 1', licence: 'MIT', date: '2025-03' },
  ...{ prompts: 'source', replies: 1, ...fields },
})
const reply = (fields: object = {}) => ({
  ...{ task: 's/a', sample: 1, reply: 'Answer: 1', tokens: { input: 10, output: 3 }, ...fields },
})
const lines = (...all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')

const read = (spec: string, cwd: string, tasks = ['s/a', 's/b']) =>
  readReplies(spec, { tasks: new Set(tasks), cwd })

describe('recorded replies', () => {
  const one = lines(header(), reply())
  const other = lines(header(), reply({ task: 's/b', sample: 2, reply: '', finish: 'length' }))

  it.each([
    ['a file', 'a.jsonl', { 'a.jsonl': one }, 1],
    ['a gzipped file', 'a.jsonl.gz', { 'a.jsonl.gz': gzipSync(one) }, 1],
    ['several files', 'a.jsonl,b.jsonl.gz', { 'a.jsonl': one, 'b.jsonl.gz': gzipSync(other) }, 2],
    ['a folder', '.', { 'a.jsonl': one, 'b.jsonl': other, 'README.md': 'no replies' }, 2],
    ['a model of a folder', 'm@.', { 'a.jsonl': one, 'n.jsonl': lines(header({ model: 'n' }), reply()) }, 1],
  ])('are read from %s', async (_, spec, files: Record<string, string | Buffer>, samples) => {
    const { facts, find } = await read(spec, folderOf(files))
    const { model, source, licence, date, prompts } = header()
    expect(facts).toEqual({ model, source, licence, date, prompts, samples })
    expect(find('s/a', 1)).toEqual(reply())
    expect(find('s/b', 2)?.reply).toBe(samples === 2 ? '' : undefined)
    expect(find('s/a', 2)).toBeUndefined()
  })

  it('of other tasks are left out', async () => {
    const folder = folderOf({ 'a.jsonl': lines(header({ replies: 2 }), reply(), reply({ task: 's/z' })) })
    const { find } = await read('a.jsonl', folder)
    expect(find('s/z', 1)).toBeUndefined()
  })

  it('of a large file of another model are left without an error', async () => {
    const many = Array.from({ length: 4000 }, (_, i) =>
      reply({ sample: i + 1, reply: String(Math.sin(i)).repeat(40) }),
    )
    const large = gzipSync(lines(header({ model: 'n', replies: many.length }), ...many))
    const folder = folderOf({ 'a.jsonl.gz': large, 'b.jsonl': one })
    expect((await read('m@.', folder)).facts.model).toBe('m')
  })

  it.each(tableOf<[string, string, Record<string, string[]>][]>(import.meta.url, 'refused'))(
    'that cannot be used are refused by place, with a remedy: %s',
    async (_, spec, files) => {
      const texts = Object.entries(files).map(([name, all]) => [
        name,
        all.map((line) => `${line}\n`).join(''),
      ])
      const folder = folderOf(Object.fromEntries(texts))
      const error = await read(spec, folder).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UserError)
      const { message } = error as UserError
      expect(message.split('\n')).toHaveLength(1)
      expect(message.replaceAll(folder, 'FOLDER')).toMatchSnapshot()
    },
  )
})
