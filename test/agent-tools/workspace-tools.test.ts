import { describe, expect, it } from 'vitest'
import { callTool } from '../../src/agent-tools/call-tool.ts'
import { callableTools } from '../../src/agent-tools/definitions.ts'
import { longestResult } from '../../src/agent-tools/workspace-tools.ts'
import type { Files } from '../../src/schema/task.ts'
import type { ToolOutcome } from '../../src/schema/tool/tool-call.ts'
import { editableIn } from '../../src/suites/editable.ts'

const files: Files = {
  'readme.md': 'one\ntwo\nthree\n',
  'src/main.py': 'print(1)\n',
  'src/lib/util.py': 'pass',
  'empty.txt': '',
}
const all = callableTools(
  'workspace',
  { kind: 'workspace', allow: ['read', 'list', 'write', 'check'] },
  'produce',
)

/** Makes a call on files; with `editable`, only these count. */
function call(
  name: string,
  args: unknown,
  on: Files = files,
  more: { editable?: string[]; isCut?: true } = {},
) {
  const { editable = [], isCut } = more
  const place = {
    files: () => on,
    notes: () => [],
    check: async () => ({ status: 'failed' as const, passed: 1, total: 2, output: 'sum: wrong' }),
    ...(editable.length > 0 && { counted: { names: editable, has: editableIn({ editable }) } }),
  }
  const servers = { call: async () => ({ outcome: 'ok' as const, text: '' }) }
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return callTool(
    { id: '1', name, arguments: text, ...(isCut && { isCut }) },
    new Map(all.map((one) => [one.definition.name, one])),
    place,
    { servers, fileText: () => undefined },
  )
}

describe('a workspace tool', () => {
  it.each<[string, unknown, ToolOutcome, string | RegExp]>([
    ['read', { path: 'readme.md' }, 'ok', 'one\ntwo\nthree\n'],
    ['read', { path: './src//main.py' }, 'ok', 'print(1)\n'],
    ['read', { path: 'empty.txt' }, 'ok', '(empty.txt is empty)'],
    [
      'read',
      { path: 'readme.md', from_line: 2, lines: 1 },
      'ok',
      'two\n[lines 2 to 2 of 3; read on with from_line 3]',
    ],
    ['read', { path: 'readme.md', from_line: 3 }, 'ok', 'three\n[lines 3 to 3 of 3]'],
    ['read', { path: 'readme.md', from_line: 4 }, 'failed', 'readme.md has 3 lines, so it has no line 4.'],
    ['read', { path: 'main.py' }, 'failed', 'There is no file main.py. Files of that name: src/main.py.'],
    ['read', { path: 'readme.txt' }, 'failed', 'There is no file readme.txt. Did you mean readme.md?'],
    ['read', { path: 'zzzzzzz' }, 'failed', /^There is no file zzzzzzz\. The files begin with: empty\.txt, /],
    ['read', { path: 'src' }, 'failed', 'src is a folder. Call list with it to see its files.'],
    ['read', { path: '../etc/passwd' }, 'denied', /^The path "\.\.\/etc\/passwd" leads out of the workspace/],
    ['read', { path: '/etc/passwd' }, 'denied', /^The path "\/etc\/passwd" leads out of the workspace/],
    ['read', { path: '.git/config' }, 'denied', /belongs to a version control tool/],
    [
      'read',
      {},
      'invalid',
      /^The arguments of read do not match its schema: the arguments: must have required property 'path'\./,
    ],
    ['read', { path: 5 }, 'invalid', /path: must be string\./],
    ['read', { path: 'a', mode: 'x' }, 'invalid', /must NOT have additional properties: mode\./],
    ['read', '{"path":', 'invalid', /they are not valid JSON\./],
    ['read', '["a"]', 'invalid', /they are not a JSON object\./],
    ['read', { path: 'readme.md', from_line: null, lines: null }, 'ok', 'one\ntwo\nthree\n'],
    ['read', { path: null }, 'invalid', /path: must be string/],
    ['read', 'null', 'invalid', /must have required property 'path'/],
    ['list', { folder: null }, 'ok', /^empty\.txt/],
    ['list', 'null', 'ok', /^empty\.txt/],
    ['check', 'null', 'ok', /^1 of 2/],
    ['check', ' ', 'ok', /^1 of 2/],
    ['write', { path: 'new.txt', content: 'é', delete: null }, 'ok', 'Created new.txt (2 bytes).'],
    ['write', { path: 'empty.txt', content: null, delete: true }, 'ok', 'Deleted empty.txt.'],
    ['write', { path: 'x', content: null }, 'invalid', /^Give content,/],
    ['read', { path: '/src/main.py' }, 'denied', /leads out of the workspace.*Did you mean src\/main\.py\?/],
    ['read', { path: '/workspace/src/main.py' }, 'denied', /Did you mean src\/main\.py\?/],
    ['read', { path: 'C:\\work\\src\\main.py' }, 'denied', /Did you mean src\/main\.py\?/],
    ['read', { path: '../src/main.py' }, 'denied', /Did you mean src\/main\.py\?/],
    ['write', { path: '/src/main.py', content: 'x' }, 'denied', /Did you mean src\/main\.py\?/],
    ['write', { path: '/src/new.py', content: 'x' }, 'denied', /Did you mean src\/new\.py\?/],
    ['list', { folder: '/src' }, 'denied', /leads out of the workspace.*Did you mean src\?/],
    ['list', '', 'ok', 'empty.txt\nreadme.md\nsrc/lib/util.py\nsrc/main.py'],
    ['list', { folder: '.' }, 'ok', /^empty\.txt/],
    ['list', { folder: 'src/lib/' }, 'ok', 'src/lib/util.py'],
    ['list', { folder: 'lib' }, 'failed', 'There is no folder lib. Folders: src.'],
    ['list', { folder: 'readme.md' }, 'failed', 'readme.md is a file. Call read to see it.'],
    ['list', { folder: '/' }, 'denied', /^The folder "\/" leads out of the workspace/],
    ['list', { folder: '..' }, 'denied', /^The folder "\.\." leads out of the workspace/],
    ['write', { path: 'new.txt', content: 'é' }, 'ok', 'Created new.txt (2 bytes).'],
    ['write', { path: 'new.txt', content: 'x' }, 'ok', 'Created new.txt (1 byte).'],
    ['write', { path: 'readme.md', content: '' }, 'ok', 'Replaced readme.md (0 bytes).'],
    [
      'write',
      { path: 'empty.txt', content: '' },
      'ok',
      'empty.txt already has this content. Nothing changed.',
    ],
    ['write', { path: 'empty.txt', delete: true }, 'ok', 'Deleted empty.txt.'],
    ['write', { path: 'src', delete: true }, 'failed', /^src is a folder/],
    ['write', { path: 'src', content: 'x' }, 'failed', /would stand where a folder does/],
    ['write', { path: 'readme.md/x', content: 'x' }, 'failed', /need a folder where a file is/],
    ['write', { path: 'x' }, 'invalid', /^Give content,/],
    [
      'write',
      { path: 'x', content: 'x', delete: true },
      'invalid',
      'Give either content or delete, not both.',
    ],
    ['write', { path: '.git/hooks/post-commit', content: 'x' }, 'denied', /version control/],
    ['write', { path: '../x', content: 'x' }, 'denied', /leads out/],
    ['write', { path: 'big', content: 'x'.repeat(9 * 1024 ** 2) }, 'failed', /at most 8388608/],
    ['check', {}, 'ok', '1 of 2 checks passed.\nsum: wrong'],
    [
      'reed',
      {},
      'denied',
      'There is no tool "reed" here. Did you mean "read"? You may call: read, list, write, check.',
    ],
  ])('%s with %j is %s', async (name, args, outcome, text) => {
    const result = await call(name, args)
    expect(result.outcome).toBe(outcome)
    expect(result.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  })

  it('returns the edits of a write, and none where nothing changes', async () => {
    expect((await call('write', { path: 'src/./a.py', content: 'x' })).edits).toEqual([
      { path: 'src/a.py', content: 'x' },
    ])
    expect((await call('write', { path: 'empty.txt', delete: true })).edits).toEqual([
      { path: 'empty.txt', content: null },
    ])
    expect(await call('write', { path: 'empty.txt', content: '' })).not.toHaveProperty('edits')
  })

  it('returns a long file in parts that join to the whole', async () => {
    const long = Array.from({ length: 9000 }, (_, i) => `line ${i} ${'x'.repeat(i % 20)}`).join('\n')
    const parts: string[] = []
    let from: number | undefined = 1
    while (from !== undefined) {
      const { text } = await call('read', { path: 'long', from_line: from }, { long })
      expect(text.length).toBeLessThan(longestResult + 100)
      parts.push(text.slice(0, text.lastIndexOf('\n')))
      from = Number(/from_line (\d+)\]$/.exec(text)?.[1]) || undefined
    }
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.join('\n')).toBe(long)
  })

  it.each([
    ['of letters', 'x'.repeat(300_000)],
    ['of surrogate pairs', `x${'😀'.repeat(60_000)}`],
    ['between others', `first\n${'y'.repeat(90_000)}\nlast\n`],
    ['at the end of a file', `first\n${'z'.repeat(40_001)}`],
  ])('returns a long line %s in parts that join to the whole', async (_, wide) => {
    let joined = ''
    let args: Record<string, unknown> | undefined = { path: 'wide' }
    for (let i = 0; args && i < 20; i++) {
      const { outcome, text } = await call('read', args, { wide })
      expect(outcome).toBe('ok')
      expect(text.length).toBeLessThan(longestResult + 200)
      expect(text).toMatch(/\n\[line/)
      const part = text.slice(0, text.lastIndexOf('\n['))
      expect(part).not.toMatch(/\p{Surrogate}/u)
      const next = /read on with from_line (\d+)(?: and from_character (\d+))?\]$/.exec(text)
      joined += next && next[2] === undefined ? `${part}\n` : part
      const [, line, character] = next ?? []
      args = line === undefined ? undefined : { path: 'wide', from_line: Number(line) }
      if (args && character !== undefined) args.from_character = Number(character)
    }
    // Parts have no line end of the file itself.
    expect(joined).toBe(wide.trimEnd())
  })

  it('says how far a long line goes, and refuses a character that it does not have', async () => {
    const wide = 'x'.repeat(100_000)
    const first = await call('read', { path: 'wide' }, { wide })
    expect(first.text).toMatch(
      /\n\[line 1 of 1, characters 1 to 40000 of 100000; read on with from_line 1 and from_character 40001\]$/,
    )
    const last = await call('read', { path: 'wide', from_character: 80_001 }, { wide })
    expect(last.text).toBe(`${'x'.repeat(20_000)}\n[line 1 of 1, from character 80001]`)
    const none = await call('read', { path: 'wide', from_character: 100_001 }, { wide })
    expect(none).toMatchSnapshot()
  })

  it('cuts a list of too many files', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`d${i % 3}/file-${i}.txt`, '']))
    const { text } = await call('list', {}, many)
    expect(text.length).toBeLessThan(longestResult)
    expect(text).toMatch(
      /\[the first \d+ of 5000 files; list one folder to see more: d0 \(1667\), d1 \(1667\), d2 \(1666\)\]$/,
    )
  })
})

describe('a write in a task that says which files may change', () => {
  const write = (args: object, editable: string[]) => call('write', args, files, { editable })

  it.each([
    ['Replaced readme.md (1 byte).', { path: 'readme.md', content: 'x' }],
    ['Created src/new.py (1 byte).', { path: 'src/new.py', content: 'x' }],
    ['Deleted readme.md.', { path: 'readme.md', delete: true }],
  ])('is made also where it does not count, and says so: %s', async (done, args) => {
    const { outcome, text, edits } = await write(args, ['src/main.py', 'lib/**'])
    expect(outcome).toBe('ok')
    expect(edits).toHaveLength(1)
    expect(text).toBe(
      `${done} It does not count: only these files are taken from your work when the task is checked and graded: src/main.py, lib/**.`,
    )
  })

  it.each([
    ['src/main.py', ['src/main.py']],
    ['src/.hidden/x', ['src/**']],
    ['anything', ['**']],
    ['anything', []],
  ])('says nothing of %s where %j may change', async (path, editable) => {
    expect((await write({ path, content: 'x' }, editable)).text).not.toContain('count')
  })
})

describe('a call that the output limit has cut', () => {
  it('says so, and does not show the schema', async () => {
    const { outcome, text } = await call('write', '{"path":"a.txt","content":"abc', files, { isCut: true })
    expect(outcome).toBe('invalid')
    expect(text).toMatchSnapshot()
  })
})
