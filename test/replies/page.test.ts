import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageRoot } from '../../src/base/package-root.ts'
import { optionLetter } from '../../src/replies/answers/options.ts'
import { pickNumber } from '../../src/replies/answers/pick-number.ts'
import { extractAnswer } from '../../src/replies/answers/read-answer.ts'
import { readChoice } from '../../src/replies/answers/read-choice.ts'
import { cleanText } from '../../src/replies/clean-data.ts'
import { readData } from '../../src/replies/data/read-data.ts'
import { readWork } from '../../src/replies/read-work.ts'
import { withoutThoughts } from '../../src/replies/thoughts.ts'
import { sampleTask } from '../helpers/runs/sample-task.ts'

/** A text of the page, and what it is read as; undefined for nothing. */
type Example = [text: string, read: string | undefined]

const escapes: readonly [RegExp, string][] = [
  [/⏎/g, '\n'],
  [/␍/g, '\r'],
  [/\\\|/g, '|'],
  [/\\ufeff/g, '\ufeff'],
  [/\\ud83d/g, '\ud83d'],
  [/\\ufffd/g, '\ufffd'],
]

/** Returns the spans of code of a cell, as the texts that they stand for. */
const spansOf = (cell: string): string[] =>
  [...cell.matchAll(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g)].map(([, , span = '']) => {
    const plain = /^ .*` $|^ `.* $|^ .*`.* $/.test(span) ? span.slice(1, -1) : span
    return escapes.reduce((text, [from, to]) => text.replace(from, () => to), plain)
  })

function examplesOf(row: string): Example[] {
  const [, first = '', second = ''] = row.split(/(?<!\\)\|/)
  const texts = spansOf(first)
  const values = spansOf(second)
  if (values.length === 0) expect(second.trim()).toBe('nothing')
  if (values.length > 1) expect(values).toHaveLength(texts.length)
  return texts.map((text, i) => [text, values.length > 1 ? values[i] : values[0]])
}

const page = readFileSync(join(packageRoot(), 'docs/reference/replies.md'), 'utf8')
const sections = new Map(page.split(/^## /m).map((part) => [part.split('\n', 1)[0] as string, part]))

/** Returns the examples of the tables of a section with the columns `text` and `read as`. */
function examplesIn(section: string): Example[] {
  const tables = (sections.get(section) ?? '').split(/^\| text \| read as \|\n\| --- \| --- \|\n/m).slice(1)
  return tables.flatMap((table) => {
    const lines = table.split('\n')
    const end = lines.findIndex((line) => !line.startsWith('|'))
    return lines.slice(0, end).flatMap(examplesOf)
  })
}

const read = (text: string) => (text.trim() === '' ? undefined : text.trim())
const options = ['Paris', 'Lyon', 'Nice']
const python = sampleTask({
  spec: { output: 'function', language: 'python', entryPoint: 'f', editable: ['f.py'] },
})
const files = sampleTask({ spec: { output: 'files', editable: ['**'] } })

function numberIn(text: string): string | undefined {
  const picked = pickNumber(extractAnswer(`Answer: ${text}`) ?? '')
  return 'problem' in picked ? undefined : String(picked.number.values[0])
}

function choiceIn(text: string): string | undefined {
  const index = readChoice(text, options)?.index
  return index === undefined ? undefined : optionLetter(index)
}

function filesIn(text: string): string | undefined {
  const { edits, rejected } = readWork(files, text)
  return read(
    [
      ...edits.map(({ path, content }) =>
        content === null ? `${path} deleted` : `${path}: ${content.trim()}`,
      ),
      ...rejected.map(({ path }) => `${path} refused`),
    ].join(', '),
  )
}

function dataIn(text: string): string | undefined {
  const found = readData(text, z.object({ ok: z.boolean() }))
  return 'data' in found ? JSON.stringify(found.data) : undefined
}

const readers: Readonly<Record<string, (text: string) => string | undefined>> = {
  Text: cleanText,
  Thoughts: (text) => read(withoutThoughts(text)),
  Code: (text) => read(readWork(python, text).edits[0]?.content ?? ''),
  Files: filesIn,
  Numbers: numberIn,
  Choices: choiceIn,
  'Exact answers': (text) => extractAnswer(text),
  'Data: verdicts, plans, decisions': dataIn,
}

describe('docs/reference/replies.md', () => {
  it('has examples of each kind, and no table of examples elsewhere', () => {
    const withTables = [...sections].filter(([, text]) => text.includes('| text | read as |'))
    expect(withTables.map(([name]) => name).sort()).toEqual(Object.keys(readers).sort())
  })

  describe.each(Object.entries(readers))('%s', (section, reader) => {
    it.each(examplesIn(section))('%j is read as %j', (text, expected) => {
      expect(reader(text)).toBe(expected)
    })
  })
})
