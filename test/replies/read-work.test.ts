import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWork } from '../../src/replies/read-work.ts'
import { sampleTask } from '../helpers/runs/sample-task.ts'

const stub = 'def total(xs):\n    """The sum of xs."""\n'
const task = sampleTask({
  files: { 'solution.py': stub },
  spec: { output: 'function', language: 'python', entryPoint: 'total', editable: ['solution.py'] },
})
const right = 'def total(xs):\n    return sum(xs)\n'
const read = (reply: string) => readWork(task, reply).edits[0]?.content
const whole = (code: string) => `${stub.trimEnd()}\n\n\n${code.trimEnd()}\n`
const fenced = (code: string, info = 'python', fence = '```') => `${fence}${info}\n${code}${fence}\n`
const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

describe('the block that defines the function counts', () => {
  it.each([
    ['a call behind it', `${fenced(right)}Use it:\n\n${fenced('print(total([1]))\n')}`],
    ['a shell line behind it', `${fenced(right)}\n${fenced('python solution.py\n', 'sh')}`],
    ['output behind it', `${fenced(right)}It prints\n\n${fenced('3\n', '')}`],
    [
      'another version behind it',
      `${fenced(right)}Alternatively:\n${fenced('def total(xs):\n    return 0\n')}`,
    ],
    [
      'a draft before it',
      `${fenced('def total(xs):\n    return 1\n')}That was wrong. Corrected:\n${fenced(right)}`,
    ],
    ['the signature before it', `${fenced('def total(xs):\n    ...\n')}So:\n${fenced(right)}`],
    [
      'its own result in a variable',
      `${fenced(right)}Now the final value:\n${fenced('total = total([1])\n')}`,
    ],
    ['no end', `Here:\n\n\`\`\`python\n${right}`],
    ['only an end', `${right}\`\`\`\nThis adds them.\n`],
    ['prose on the line of its fence', `Here it is: ${fenced(right)}`],
    ['a stop token behind its end', `\`\`\`python\n${right}\`\`\`<|im_end|>\n`],
    ['its end indented too far', `\`\`\`python\n${right}    \`\`\`\nIt adds.\n`],
    ['its end behind the code', `\`\`\`python\n${right.trimEnd()}\`\`\`\nIt adds.\n`],
    ['too short an end with a stop', `\`\`\`\`python\n${right}\`\`\`.\nIt adds.\n\`\`\`\`\`.\n`],
    ['too short an end with a stop and no other', `\`\`\`\`python\n${right}\`\`\`.\nIt adds.\n`],
    ['tildes', fenced(right, 'py', '~~~')],
    ['a fence of Markdown around it', `\`\`\`markdown\nHere:\n${fenced(right)}\`\`\`\n`],
    ['a list around it', `1. So:\n\n${indented(fenced(right), '   ')}\n2. Done.`],
    ['a list with tabs', `- So:\n${indented(fenced(right), '\t')}`],
    ['a quote around it', indented(fenced(right), '> ')],
    ['the name of its file within it', fenced(`# FILE: solution.py\n${right}`)],
    ['no fence', `Sure, I sum them:\n\n${right}\nThis works for any list.\n`],
    ['no fence and a space at its start', ` ${right}\n\nprint(total([1]))\n`],
    ['the language on a line of its own', `\`\`\`\npython\n${right}\`\`\`\n`],
  ])('with %s', (_, reply) => {
    expect(read(reply)).toBe(whole(right))
  })

  const other = 'def total(xs):\n    return 0\n'
  it.each([
    'A common mistake is to write:',
    'Do not write it so, it is wrong:',
    'Your original code was incorrect:',
    'For comparison, the code with the bug:',
    'If all are zero, this is better:',
    'Final check with a mock:',
    'Before:',
  ])('with "%s" and another version behind it', (prose) => {
    expect(read(`${fenced(right)}\n${prose}\n\n${fenced(other)}`)).toBe(whole(right))
  })

  it.each([
    '**After:**',
    'Better:',
    '### Attempt 2',
    'Version 2:',
    'Wait, that gives zero. It should add:',
    'Actually, this does not work. Let me rewrite it:',
    'Updated code:',
    'Improved version:',
    'Here is the fix:',
    'The problem is the zero. Change it to:',
  ])('with another version and "%s" before it', (prose) => {
    expect(read(`${fenced(other)}\n${prose}\n\n${fenced(right)}`)).toBe(whole(right))
  })

  it.each(['Draft:', 'My first draft:', '## Rough sketch', '**First attempt**', 'Pseudocode:'])(
    'with a version under "%s" before it',
    (prose) => expect(read(`${prose}\n${fenced(other)}\nSo:\n\n${fenced(right)}`)).toBe(whole(right)),
  )

  it.each([
    '# your code here\n    return 0',
    '# TODO\n    return None',
    '# ... existing code ...\n    x = 1',
  ])('with a sketch before it: %j', (body) =>
    expect(read(`${fenced(`def total(xs):\n    ${body}\n`)}\n${fenced(right)}`)).toBe(whole(right)),
  )

  it('with the last version of a helper, without the example call behind it', () => {
    const uses = 'def total(xs):\n    return add(xs)\n'
    const first = 'def add(xs):\n    return 0\n'
    const last = 'def add(xs):\n    return sum(xs)\n'
    const reply = `${fenced(uses)}Helper:\n${fenced(first)}Right:\n${fenced(`${last}\nprint(total([1]))\n`)}`
    expect(read(reply)?.replace(/\n{3,}/g, '\n\n')).toBe(`${stub}\n${last}\n${uses}`)
  })

  it.each(['py', 'Python 3', '{.python .numbered}', 'python title="a.py"', 'language-python'])(
    'with the info string %s',
    (info) => expect(read(fenced(right, info))).toBe(whole(right)),
  )

  it.each([
    ['indented', '    ```\n    total([1])\n    ```\n'],
    ['indented a little', '  ```\n  total([1])\n  ```\n'],
  ])('with an %s fence in its docstring', (_, example) => {
    const code = `def total(xs):\n    """Adds.\n\n${example}    """\n    return sum(xs)\n`
    expect(read(fenced(code))).toBe(whole(code))
  })

  it('with the imports and helpers that it needs from other blocks', () => {
    const helper = 'import math\n\ndef add(xs):\n    return math.fsum(xs)\n'
    const uses = 'def total(xs):\n    return add(xs)\n'
    expect(read(`${fenced(helper)}and\n${fenced(uses)}${fenced('xs = [1]\nprint(total(xs))\n')}`)).toBe(
      whole(`${helper.trimEnd()}\n\n\n${uses}`),
    )
  })

  it('and its place is told in plain words', () => {
    expect(readWork(task, fenced(right)).found).toBe('the block that defines total')
    expect(readWork(task, right).found).toBe('the code without a fence that defines total')
  })
})

describe('JavaScript without a fence', () => {
  const module = sampleTask({
    files: { 'total.mjs': "export function total(xs) {\n  throw new Error('not written')\n}\n" },
    spec: { output: 'function', language: 'javascript', entryPoint: 'total', editable: ['total.mjs'] },
  })
  it.each([
    ['alone', 'export function total(xs) {\n  return xs.length\n}', ''],
    ['an arrow function', 'export const total = (xs) => xs.length', ''],
    ['with prose around it', 'export function total(xs) {\n  return xs.length\n}', 'This counts them.'],
    [
      'with a list behind it',
      'export function total(xs) {\n\n  return xs.length\n}',
      '- It is short.\n- It is fast.',
    ],
    ['with a comment', '// Counts.\nexport function total(xs) {\n  return xs.length\n}', 'Note: it counts.'],
  ])('is taken without the prose: %s', (_, code, after) => {
    const reply = after === '' ? code : `Sure, here is the function:\n\n${code}\n\n${after}\n`
    const found = readWork(module, reply).edits[0]?.content
    expect(found?.replace('// Counts.\n', '').trim()).toBe(code.replace('// Counts.\n', ''))
  })

  it('gets its missing export, and prose that names it is none', () => {
    expect(readWork(module, 'const total = (xs) => xs.length').edits[0]?.content).toMatchSnapshot()
    expect(readWork(module, 'The function total (of a list) returns 0 if it is empty.').edits).toEqual([])
  })
})

it('a longer fence with a right end holds shorter ones with a stop', () => {
  const code = 'def total(xs):\n    """\n```.\n    """\n    return sum(xs)\n'
  expect(read(fenced(code, 'python', '````'))).toBe(whole(code))
})

it.each(['Total', 'TOTAL', 'totalOf'])('a name is taken as written: %s does not answer for total', (name) => {
  const other = `def ${name}(xs):\n    return 0\n`
  expect(read(`${fenced(other)}and\n${fenced(right)}`)).toBe(whole(right))
  expect(read(fenced(other))).toBe(whole(other))
})

it('a body continues the stub, with a fence or without', () => {
  const body = `${stub.trimEnd()}\n    return sum(xs)\n`
  expect(read(fenced('    return sum(xs)\n'))).toBe(body)
  expect(read('    return sum(xs)\n')).toBe(body)
})

it('the function stands beside blocks of other files, and a file block of its own file wins', () => {
  const test = 'FILE: test_total.py\n```python\nassert total([1]) == 1\n```\n'
  for (const reply of [fenced(right) + test, test + fenced(right), `DELETE: old.py\n${fenced(right)}`])
    expect(readWork(task, reply).edits.at(-1)).toEqual({ path: 'solution.py', content: whole(right) })
  const work = readWork(task, fenced(right) + test)
  expect(work.found).toBe('the block that defines total, and the file block of test_total.py')
  const own = `FILE: solution.py\n${fenced('def total(xs):\n    return 1\n')}`
  expect(read(fenced(right) + own)).toBe('def total(xs):\n    return 1\n')
  expect(readWork(task, `${test}\n${fenced('print(1)\n')}`).edits).toHaveLength(1)
})

it('a reply without code delivers nothing', () => {
  expect(readWork(task, 'I cannot import this from memory. It returns the sum: see above.').edits).toEqual([])
  expect(readWork(task, fenced('pip install x\n', 'bash')).edits).toEqual([])
})

it('whatever prose stands around a block, its code is chosen or nothing', () => {
  const words = fc.constantFrom(
    'it',
    'returns',
    'the',
    'sum.',
    'Note:',
    '\n',
    '# Title',
    '- item',
    'total',
    '`xs`',
    '(a)',
    '**b**',
  )
  const prose = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '))
  let chosen = 0
  fc.assert(
    fc.property(prose, prose, (before, after) => {
      const found = read(`${before}\n\n${fenced(right)}\n${after}`)
      if (found !== undefined) chosen++
      expect([whole(right), undefined]).toContain(found)
    }),
    { numRuns: 200 },
  )
  expect(chosen).toBeGreaterThan(190)
})

describe('file blocks', () => {
  const files = sampleTask({ spec: { output: 'files', editable: ['**'] } })
  const contents = (reply: string) =>
    Object.fromEntries(readWork(files, reply).edits.map(({ path, content }) => [path, content]))

  it.each([
    ['left open', 'FILE: a.py\n```python\nx = 1\nFILE: b.py\n```python\ny = 2\n```\n'],
    ['left open, without languages', 'FILE: a.py\n```\nx = 1\nFILE: b.py\n```\ny = 2\n```\n'],
    ['never closed', 'FILE: a.py\n```\nx = 1\n```\nFILE: b.py\n```\ny = 2\n'],
    ['in a list', '1. FILE: a.py\n```\nx = 1\n```\n- FILE: b.py\n```\ny = 2\n```\n'],
    ['with marked paths', 'FILE: **a.py**:\n```\nx = 1\n```\nFILE: "b.py"\n```\ny = 2\n```\n'],
    ['with remarks', 'FILE: a.py (new)\n```\nx = 1\n```\n## `FILE: b.py`\n```\ny = 2\n```\n'],
    ['with a fence around all', '```\nFILE: a.py\n```py\nx = 1\n```\nFILE: b.py\n```py\ny = 2\n```\n```\n'],
  ])('%s are read', (_, reply) => {
    expect(contents(reply)).toEqual({ 'a.py': 'x = 1\n', 'b.py': 'y = 2\n' })
  })

  it.each([
    ['a.txt', 'It says """\n', 'b.txt', '"""\n'],
    ['a.py', 'x = """\n', 'b.py', '"""\n'],
    ['a.py', 'x = """\n', 'b.py', 'def y():\n    """One."""\n'],
    ['a.py', 'FORM = """\nFILE: path\n```\ntext\n```\n"""\nx = 1\n', 'b.txt', 'y\n'],
    ['a.py', 'FORM = """\n```\nFILE: path\n```\ntext\n```\n"""\n', 'b.py', 'y = """z"""\n'],
    ['a.md', 'It begins with\nFILE: path\n', 'b.txt', 'y\n'],
  ])('hold quotes and the form of file blocks: %s with %j', (one, first, two, second) => {
    const block = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\`\`\`\n`
    const both = { [one]: first, [two]: second }
    if (one !== 'a.md') expect(contents(block(one, first) + block(two, second))).toEqual(both)
    expect(contents(`${block(one, first)}That is all.\n`)).toEqual({ [one]: first })
  })

  it('that are left open end before a deletion', () => {
    expect(contents('FILE: a.py\n```python\nx = 1\n\nDELETE: b.py\n')).toEqual({
      'a.py': 'x = 1\n',
      'b.py': null,
    })
  })

  it('of Markdown may hold blocks', () => {
    const text = '# T\n```sh\nnpm i\n```\nEnd.\n'
    expect(contents(`FILE: README.md\n\`\`\`markdown\n${text}\`\`\`\n`)).toEqual({ 'README.md': text })
  })

  it('that are missing behind their heading are told', () => {
    expect(readWork(files, 'FILE: a.py\n\nI left it as it is.').rejected).toMatchSnapshot()
  })

  it('around any contents are read back', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '`', '~', '"', '>', '1.') })
    const content = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`)
    fc.assert(
      fc.property(content, content, (one, two) => {
        expect(
          contents(
            `FILE: a.txt\n\`\`\`\`\`\`\`\`\`\`\n${one}\`\`\`\`\`\`\`\`\`\`\nFILE: b.txt\n\`\`\`\`\`\`\`\`\`\`\n${two}\`\`\`\`\`\`\`\`\`\`\n`,
          ),
        ).toEqual({ 'a.txt': one, 'b.txt': two })
      }),
      { numRuns: 500 },
    )
  })
})
