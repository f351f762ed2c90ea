import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pickNumber } from '../../../src/replies/answers/pick-number.ts'
import { readAnswer } from '../../../src/replies/answers/read-answer.ts'
import { readChoice } from '../../../src/replies/answers/read-choice.ts'
import { readData } from '../../../src/replies/data/read-data.ts'
import { readWork } from '../../../src/replies/read-work.ts'
import { withoutThoughts } from '../../../src/replies/thoughts.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

const taskOf = (language: string, path: string, stub: string) =>
  sampleTask({
    files: { [path]: stub },
    spec: { output: 'function', language, entryPoint: 'f', editable: [path] },
  })
const python = taskOf('python', 'f.py', 'def f(x):\n    """A value."""\n')
const files = sampleTask({ spec: { output: 'files', editable: ['**'] } })
const script = taskOf('javascript', 'f.mjs', 'export function f(x) {}\n')
const Verdict = z.object({ ok: z.boolean(), why: z.string() })
const marked = { mark: { token: 'wxyzwxyzwx', isWrapped: false }, mayBeUnmarked: () => true }
const verdict = '{"mark": "wxyzwxyzwx", "ok": true, "why": "x"}'
const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'work without a fence': (text) => readWork(python, text),
  'a block of Python': (text) => readWork(python, fenced('python', `def f(x):\n    return x\n${text}`)),
  'a block of JavaScript': (text) => readWork(script, fenced('js', `function f(x) { return x }\n${text}`)),
  'files without a FILE: line': (text) => readWork(files, text),
  'a file that nothing closes': (text) => readWork(files, `FILE: a.py\n\`\`\`python\n${text}`),
  'a number': (text) => pickNumber(readAnswer(`Answer: ${text}`)?.text ?? ''),
  'a choice': (text) => readChoice(`Answer: ${text}`, ['Oslo', 'Bern', 'Rome', 'Riga']),
  data: (text) => readData(text, Verdict),
  'a verdict with a mark': (text) => readData(text + verdict, Verdict, marked),
  'thoughts and an answer': (text) => withoutThoughts(text),
}

const shapes = Object.entries(tableOf<Readonly<Record<string, string>>>(import.meta.url, 'shapes'))

/** Returns a text of a length in UTF-16 units that repeats a shape. */
function repeat(shape: string, length: number): string {
  if (!/[%~]/.test(shape)) return shape.repeat(Math.ceil(length / shape.length)).slice(0, length)
  const parts: string[] = []
  for (let i = 0, made = 0; made < length; i++) {
    const part = shape.replaceAll('%', String(i)).replace('~', ' '.repeat(i % 200))
    parts.push(part)
    made += part.length
  }
  return parts.join('')
}

/** The least CPU time of some readings in this process, of which one below a limit is enough; ms. */
function timeOf(read: (text: string) => unknown, text: string, rounds: number, limit = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && least >= limit; round++) {
    const before = process.cpuUsage()
    read(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const megabyte = 1_000_000
/** Less time than this is noise; ms. */
const floor = 60
/** What takes longer is measured on a fifth of the text: its growth shows there, too; ms. */
const slow = 500

describe.each(Object.entries(readers))(
  'a hostile reply of 10 MB takes at most 12 times one of 1 MB: %s',
  (_, read) => {
    it.each(shapes)('%s', (_name, shape) => {
      const first = timeOf(read, repeat(shape, megabyte), 1)
      const size = first > slow ? megabyte / 5 : megabyte
      const small = timeOf(read, repeat(shape, size), 3, floor)
      const limit = 12 * Math.max(small, floor)
      expect(timeOf(read, repeat(shape, 10 * size), 3, limit)).toBeLessThan(limit)
    })
  },
)
