import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import importReplies from '../../../src/commands/replies/import.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { excerpt } from '../../helpers/runs/recorded-files.ts'

const origin = { model: 'm', source: 'kuk/simple-evals-ru, commit 5fb1507', licence: 'MIT', date: '2025' }
const tasks = `gsm8k:${join(excerpt, 'mgsm.jsonl.gz')}`

/** Imports files. Returns the lines that were written, and what was said. */
async function imported(
  files: readonly string[],
  options: object = {},
): Promise<{ lines: unknown[]; said: string }> {
  const out = join(tempFolder(), 'replies.jsonl.gz')
  const said: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  try {
    await importReplies(files, { out, tasks, ...origin, ...options })
  } finally {
    stderr.mockRestore()
  }
  const text = gunzipSync(readFileSync(out)).toString()
  return {
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    said: said.join('').replaceAll(out, 'OUT'),
  }
}

it.each(['qwen-2.5-7b', 'llama-3.1-8b', 'deepseek-v3', 'gigachat-lite'])(
  'replies of %s come from their source as they lie beside it, and what is odd about them is told',
  async (model) => {
    const { lines, said } = await imported([join(excerpt, 'source', `${model}.jsonl.gz`)], { model })
    const kept = gunzipSync(readFileSync(join(excerpt, 'replies', `${model}.jsonl.gz`))).toString()
    expect(lines).toEqual(
      kept
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    expect(said).toMatchSnapshot()
  },
)

const question = (place: number) => {
  const lines = gunzipSync(readFileSync(join(excerpt, 'mgsm.jsonl.gz')))
    .toString()
    .trim()
    .split('\n')
  return (JSON.parse(lines[place - 1] as string) as { question: string }).question
}

it.each(tableOf<[string, object[], object][]>(import.meta.url, 'told'))(
  'what is odd about a source is told with its count: %s',
  async (_, given) => {
    const path = join(tempFolder(), 'source.jsonl')
    const lines = given.map((line) =>
      JSON.stringify(line).replace(/QUESTION (\d)/g, (_, place) =>
        JSON.stringify(question(Number(place))).slice(1, -1),
      ),
    )
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    const {
      lines: [header, ...replies],
      said,
    } = await imported([path])
    expect({ replies, notes: (header as { notes?: string[] }).notes ?? [] }).toMatchSnapshot()
    expect(said).toContain(' of m to ')
  },
)

it.each(tableOf<[string, (object | string)[], object][]>(import.meta.url, 'refused'))(
  'what cannot be imported is refused by place, with a remedy: %s',
  async (_, given, options) => {
    const path = join(tempFolder(), 'source.jsonl')
    writeFileSync(
      path,
      given.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    )
    const error = await imported([path], options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    const { message } = error as UserError
    expect(message.replaceAll(path, 'SOURCE').replaceAll(excerpt, 'EXCERPT')).toMatchSnapshot()
  },
)

it('a file that exists is not overwritten', async () => {
  const path = join(tempFolder(), 'source.jsonl')
  writeFileSync(path, `${JSON.stringify({ task: 'mgsm-1', reply: 'x' })}\n`)
  const out = join(tempFolder(), 'replies.jsonl')
  writeFileSync(out, 'mine')
  const error = await imported([path], { out }).catch((thrown: unknown) => thrown)
  expect((error as UserError).message.replace(out, 'OUT')).toMatchSnapshot()
  expect(readFileSync(out, 'utf8')).toBe('mine')
})
