import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { inRequestWords, requestToOptions } from '../../../src/commands/config/run-request.ts'
import type { UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { resolvedTools as toolsOf } from '../../helpers/tools/resolved-tools.ts'

// Built here, so that no file of this repository contains a key.
const fakeKey = `sk-${'ant-api03'}-${'aB3dE5fG7hI9jK1lM2nO4pQ6'}`

describe('the mistakes in tools', () => {
  const problemsOf = async (options: RunOptions, file = '') => (await toolsOf(options, file)).problems

  it.each([
    ['chek', /there is no tool "chek"\. Did you mean "check"/],
    ['zzz', /no tool "zzz"\. Known: read, list, write, check, memory/],
    ['read,read', /names the tool "read" twice/],
    ['none,read', /names tools and none/],
    ['', /empty name of a tool/],
    ['read,', /empty name of a tool/],
    ['workspace', /there is no tool "workspace"/],
    ['toString', /there is no tool "toString"/],
    ['__proto__', /there is no tool "__proto__"/],
  ])('of --tools %j are named', async (tools, words) => {
    expect((await problemsOf({ methods: 'baseline', tools })).join('\n')).toMatch(words)
    if (tools !== '') return
    expect((await problemsOf({ methods: 'baseline[tools=]' })).join('\n')).toMatch(words)
  })

  it('of a method name the method', async () => {
    const [problem] = await problemsOf({ methods: 'a=baseline[tools=raed]' })
    expect(problem).toMatch(/^\[--methods a=baseline\[tools=raed\]\].*"read"/)
  })

  it.each(['0', '1', '1.5', 'x', '-3', ''])('in turns of %j are named', async (toolTurns) => {
    const [problem] = await problemsOf({ methods: 'baseline', tools: 'read', toolTurns })
    expect(problem).toMatch(/--tool-turns .*(?:is not a whole number of at least|must be at least) 2\./)
  })

  it('include turns without tools', async () => {
    expect(await problemsOf({ methods: 'baseline[tools=none]', tools: 'read', toolTurns: '4' })).toEqual([
      expect.stringMatching(/--tool-turns 4\] has no effect, because no method has tools/),
    ])
  })

  it('of the config file are named with their line, whether they are used or not', async () => {
    const file = `tools:
  check: { kind: memory }
  a: { id: b, kind: memory }
  c: { kind: mcp, config: { command: [node], allow: [x], env: { MY_API_KEY: abcdefgh12345678 } } }
`
    const problems = (await problemsOf({ methods: 'baseline' }, file)).join('\n')
    expect(problems).toMatch(/c\.yaml:2 tools\.check\] "check" is a word of --tools/)
    expect(problems).toMatch(/c\.yaml:3 tools\.a\.id\] must equal the name of the entry, a/)
    expect(problems).toMatch(/c\.yaml:4 tools\.c\.config\.env.*the key MY_API_KEY/)
    expect(problems).not.toContain('abcdefgh12345678')
  })

  const keys = `tools:
  c:
    kind: mcp
    config:
      command: [node, c.mjs, --key, ${fakeKey}]
      allow: [x]
      env: { KEY: ${fakeKey}, MODE: fast, LEVEL: debug }
`

  it('include a key in the settings of a server, by its form, which is not quoted', async () => {
    const problems = await problemsOf({ methods: 'baseline' }, keys)
    expect(problems).toEqual([
      expect.stringMatching(
        /c\.yaml:7 tools\.c\.config\.env\.KEY\] gives its server what looks like an API key; no server/,
      ),
      expect.stringMatching(
        /c\.yaml:5 tools\.c\.config\.command\.3\] gives its server what looks like an API key/,
      ),
    ])
    expect(problems.join()).not.toContain(fakeKey)
  })

  it('of the config file are named beside those of its schema, in tools and in methods', () => {
    const file = `run: { tools: [lor], epochs: x }
methods:
  bad: { strategy: baseline, tools: [raed], toolTurns: 3 }
  empty: { strategy: baseline, tools: [] }
tools:
  none: { kind: memory }
  read: { kind: memory, extra: 1 }
  lore: { kind: memory }
${keys.slice(keys.indexOf('\n') + 1)}`
    const found = (() => {
      try {
        return parseConfig(file, 'c.yaml') && []
      } catch (error) {
        return (error as UserError).problems.map(({ where, what }) => `${where}: ${what}`)
      }
    })()
    expect(found).toEqual([
      expect.stringContaining('c.yaml:1 run.epochs: must be'),
      'c.yaml:3 methods.bad.toolTurns: is not a known field',
      'c.yaml:7 tools.read.extra: is not a known field',
      'c.yaml:6 tools.none: "none" is a word of --tools',
      'c.yaml:7 tools.read: "read" is a word of --tools',
      expect.stringContaining('tools.c.config.env.KEY: gives its server'),
      expect.stringContaining('tools.c.config.command.3: gives its server'),
      'c.yaml:1 run.tools: there is no tool "lor"',
      'c.yaml:3 methods.bad.tools: there is no tool "raed"',
    ])
  })

  it('of the config file are named once, whether a run uses them or not', async () => {
    const file = `run: { tools: [lor] }
methods: { a: { strategy: baseline, tools: [raed] } }
`
    for (const methods of ['a', 'baseline'])
      expect(await problemsOf({ methods }, file)).toEqual([
        expect.stringContaining('c.yaml:1 run.tools] there is no tool "lor"'),
        expect.stringContaining('c.yaml:2 methods.a.tools] there is no tool "raed"'),
      ])
  })

  it('are none in an empty list, which gives no tools', async () => {
    const file = 'methods: { a: { strategy: baseline, tools: [] } }\n'
    expect(await toolsOf({ methods: 'a', tools: 'read' }, file)).toMatchObject({ problems: [], tools: {} })
    const options = requestToOptions({ tools: [] })
    expect(options.tools).toBe('none')
    expect(requestToOptions({ tools: [''] }).tools).toBe('')
  })

  it('include two memories of one method', async () => {
    const file = 'tools: { notes: { kind: memory } }\n'
    const [problem] = await problemsOf({ methods: 'baseline', tools: 'memory,notes' }, file)
    expect(problem).toMatch(/second memory of the same agents, beside memory/)
  })
})

it('a memory whose file is empty, or not searched to its end, is noted before the run', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'a.md'), ' \n')
  writeFileSync(join(cwd, 'b.md'), 'x'.repeat(1_000_001))
  writeFileSync(join(cwd, 'c.md'), 'y'.repeat(1_000_000))
  const file = `tools:
  a: { kind: memory, config: { file: a.md } }
  b: { kind: memory, config: { file: b.md } }
  c: { kind: memory, config: { file: c.md } }
`
  const methods = 'a=baseline[tools=a],b=baseline[tools=b],c=baseline[tools=c]'
  const { notes, problems } = await toolsOf({ methods }, file, cwd)
  expect(problems).toEqual([])
  expect(notes).toMatchSnapshot()
})

it('the API says mistakes in the words of a request', () => {
  const problem = { where: '--tool-turns 1', what: 'conflicts with --allow-unsandboxed', fix: 'Add --tools.' }
  expect(inRequestWords(problem)).toEqual({
    ...{ where: 'run() toolTurns 1', what: 'conflicts with allowUnsandboxed', fix: 'Add tools.' },
  })
  const other = { where: 'c.yaml:3 tools', what: 'is --unknown', fix: 'Write bench run --resume RUN.' }
  expect(inRequestWords(other)).toEqual(other)
})
