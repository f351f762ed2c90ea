import { describe, expect, it } from 'vitest'
import { readWork } from '../../src/replies/read-work.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { sampleTask } from '../helpers/runs/sample-task.ts'

const given = { 'src/a.ts': '0\n', 'app/(group)/page.tsx': '0\n' }
const task = sampleTask({ files: given, spec: { output: 'files', editable: ['**'] } })
const wanted = 'write the line `FILE: path` directly before a block with the whole file'
const cut = (name: string) => `${name} has no closing fence: the prose behind its code was left out`

function wordsOf(reply: string): string {
  const { edits, rejected, notes } = readWork(task, reply)
  return [
    ...(edits.length > 0
      ? [edits.map(({ path, content }) => `${path}: ${content?.trimEnd()}`).join(', ')]
      : []),
    ...rejected.map(({ path, reason }) => `refused ${path} ${reason}`),
    ...notes,
  ].join('; ')
}

describe.each([
  ['headings', 'a path behind FILE: with'],
  ['named', 'a block without a FILE: line, named by'],
  ['changes', 'what says how a file changes:'],
  ['open', 'a block that nothing closes, with'],
])('%s', (table, kind) => {
  it.each(tableOf<[string, string, string][]>(import.meta.url, table))(`${kind} %s`, (_, reply, expected) => {
    expect(wordsOf(reply)).toBe(
      expected.replace('WANTED', wanted).replace(/CUT ("[^"]+")/, (_, name) => cut(name)),
    )
  })
})

it('an agent with tools may show files that it wrote: only FILE: lines name files in its last reply', () => {
  const reply = 'I wrote it.\n\n### src/a.ts\n```ts\n1\n```\n'
  expect(readWork(task, reply, true)).toEqual({ edits: [], rejected: [], notes: [] })
})

it('a diff in place of a function is refused, and is no code beside the function', () => {
  const spec = { output: 'function', language: 'python', entryPoint: 'f', editable: ['f.py'] } as const
  const stub = 'def f(x):\n    return 0\n'
  const one = sampleTask({ files: { 'f.py': stub }, spec })
  const search = '```python\n<<<<<<< SEARCH\n    return 0\n=======\n    return x\n>>>>>>> REPLACE\n```\n'
  expect(readWork(one, search)).toMatchObject({ edits: [], rejected: [{ path: 'f.py' }] })
  const code = 'def f(x):\n    return x\n'
  expect(readWork(one, `${search}\n\`\`\`python\n${code}\`\`\`\n`).edits[0]?.content).toBe(
    `${stub}\n\n${code}`,
  )
})
