import { describe, expect, it } from 'vitest'
import { readWork } from '../../../src/replies/read-work.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

const taskOf = (language: string, path: string, stub: string) =>
  sampleTask({
    files: { [path]: stub },
    spec: { output: 'function', language, entryPoint: 'f', editable: [path] },
  })
const python = taskOf('python', 'f.py', 'def f(x):\n    """A value."""\n')
const script = taskOf('javascript', 'f.mjs', 'export function f(x) {}\n')

const repeated = (text: string) => (size: number) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
const numbered = (make: (i: number) => string) => (size: number) => {
  const parts: string[] = []
  for (let i = 0, length = 0; length < size; i++) length += parts[parts.push(make(i)) - 1]?.length ?? size
  return parts.join('')
}

const texts: Readonly<Record<string, (size: number) => string>> = {
  'open imports of __future__': repeated('from __future__ import ('),
  fences: repeated('```\n'),
  'fences with a stop': repeated('````md\n```.\n'),
  'fences and quotes': repeated('"""\n```\n'),
  brackets: repeated('(\n'),
  'closing brackets': repeated(')\n'),
  quotes: repeated('"\'\n'),
  'long strings': repeated(`"""'''\n`),
  decorators: repeated('@a(\n'),
  'one-line blocks': repeated('if x: return y\n'),
  'deep indentation': numbered((i) => `${'    '.repeat(i % 200)}if x:\n`),
  calls: repeated('f(1)\n'),
  'names of blocks': numbered((i) => `a${i}(b${i})\n\`\`\`\n\`\`\`python\nc${i} = a${i}\n`),
  comments: repeated('/** a'),
  'white space': repeated(`a${' '.repeat(398)}b\n`),
}
const places: readonly [string, typeof python, (text: string) => string][] = [
  ['Python without a fence', python, (text) => text],
  ['a block of Python', python, (text) => `\`\`\`python\ndef f(x):\n    return x\n${text}\n\`\`\`\n`],
  ['a block of JavaScript', script, (text) => `\`\`\`js\nfunction f(x) { return x }\n${text}\n\`\`\`\n`],
]

/** Time of the processor in this process; ms. */
function timeOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

// Four times the text takes about four times as long. A reader that is quadratic takes sixteen times as long, or minutes.
describe.each(places)('hostile replies are read in linear time: %s', (_, task, wrap) => {
  it.each(Object.entries(texts))('%s', (_name, make) => {
    const small = timeOf(() => readWork(task, wrap(make(60_000))))
    const large = timeOf(() => readWork(task, wrap(make(240_000))))
    expect(large).toBeLessThan(Math.max(1000, small * 10))
  })
})
