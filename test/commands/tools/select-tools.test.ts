import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import type { MergedOptions } from '../../../src/commands/config/merge-options.ts'
import { inRequestWords } from '../../../src/commands/config/request-problem.ts'
import { requestToOptions } from '../../../src/commands/config/request-to-options.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { readTools, resolveTools } from '../../../src/commands/tools/resolve-tools.ts'
import { selectTools } from '../../../src/commands/tools/select-tools.ts'
import { rereadToolFiles } from '../../../src/commands/tools/tool-files.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { defineStrategy } from '../../../src/strategy.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { formatProblem, type Problem, type UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { mcpFixtures } from '../../helpers/tools/mcp-tools.ts'

// Built here, so that no file of this repository contains a key.
const fakeKey = `sk-${'ant-api03'}-${'aB3dE5fG7hI9jK1lM2nO4pQ6'}`

/** Resolves the tools of a command line; `started` is the number of programs that ran. */
async function toolsOf(options: RunOptions, file = '', cwd = tempFolder()) {
  const problems: Problem[] = []
  const config = file === '' ? undefined : parseConfig(file, 'c.yaml')
  const given: MergedOptions = { options, config, isFromFile: () => false }
  const methods = await selectMethods(options, config, problems)
  const read = readTools(selectTools(given, methods, problems), cwd, problems)
  let started = 0
  const sandbox: SandboxRun = (...args) => {
    started++
    return spawnUnsandboxed(...args)
  }
  const resolved = problems.length > 0 ? new Map() : await resolveTools(read, { cwd, sandbox }, problems)
  return {
    tools: Object.fromEntries(resolved),
    problems: problems.map(formatProblem),
    notes: read.notes,
    files: read.files,
    started,
  }
}

const workspace = (...allow: string[]) => ({ kind: 'workspace', allow })

describe('the tools of methods', () => {
  it('are those of --tools, in one order, except where a method has its own', async () => {
    const methods = 'baseline,with=baseline[tools=memory],none=sequential[tools=none],sequential[maxInner=2]'
    const { tools, problems } = await toolsOf({ methods, tools: 'check, memory ,read' })
    expect(problems).toEqual([])
    const both = { workspace: workspace('read', 'check'), memory: { kind: 'memory' } }
    const general = { known: both, given: ['workspace', 'memory'], turns: 20 }
    expect(tools).toEqual({
      ...{ baseline: general, 'sequential[maxInner=2]': general },
      with: { known: { memory: { kind: 'memory' } }, given: ['memory'], turns: 20 },
    })
  })

  it('are equal for equal lists in any order, with commas or plus signs', async () => {
    const [a, b] = await Promise.all([
      toolsOf({ methods: 'baseline', tools: 'write,read,memory', toolTurns: '3' }),
      toolsOf({ methods: 'baseline', tools: 'memory+read+write', toolTurns: '3' }),
    ])
    expect(JSON.stringify(a.tools)).toBe(JSON.stringify(b.tools))
    expect(a.tools.baseline.turns).toBe(3)
  })

  it('are absent without --tools, and with none', async () => {
    expect((await toolsOf({ methods: 'baseline' })).tools).toEqual({})
    expect((await toolsOf({ methods: 'baseline', tools: 'none' })).tools).toEqual({})
  })

  it('of an entry of the config file replace those of --tools, and brackets replace both', async () => {
    const file = `methods: { lean: { strategy: baseline, tools: [read, notes] } }
tools: { notes: { kind: memory } }
`
    const { tools, problems } = await toolsOf({ methods: 'lean,b=lean[tools=list]', tools: 'write' }, file)
    expect(problems).toEqual([])
    expect(tools.lean.given).toEqual(['workspace', 'notes'])
    expect(tools.b.known).toEqual({ workspace: workspace('list') })
  })

  it('have the contents and digests of their files', async () => {
    const cwd = tempFolder()
    writeFileSync(join(cwd, 'a.md'), 'What I know.\n')
    const file = 'tools: { notes: { kind: memory, config: { file: ./a.md } } }\n'
    const { tools, files, problems } = await toolsOf({ methods: 'baseline', tools: 'notes' }, file, cwd)
    const digest = sha256('What I know.\n')
    expect(problems).toEqual([])
    expect(tools.baseline.known.notes).toEqual({ kind: 'memory', file: { path: 'a.md', digest } })
    expect([...files]).toEqual([[digest, 'What I know.\n']])
    const run = { cwd, methods: [{ tools: tools.baseline }] as never }
    expect([...rereadToolFiles(run)]).toEqual([[digest, 'What I know.\n']])
    writeFileSync(join(cwd, 'a.md'), 'Other.\n')
    expect(() => rereadToolFiles(run)).toThrow(/tool notes, file a\.md.*has changed since the run began/)
  })

  it('start each server once, however many methods use it, and none if anything else is wrong', async () => {
    const file = `tools:
  notes: { kind: mcp, config: { command: [node, notes.mjs], files: [notes.mjs], allow: [add, count] } }
`
    const methods = 'baseline,sequential,b=baseline[tools=notes+read]'
    const right = await toolsOf({ methods, tools: 'notes' }, file, mcpFixtures)
    expect(right.problems).toEqual([])
    expect(right.started).toBe(1)
    const { notes } = right.tools.sequential.known
    expect(notes.definitions.map(({ name }: { name: string }) => name)).toEqual([
      'notes__add',
      'notes__count',
    ])
    expect(right.tools.b.known.notes).toEqual(notes)
    const wrong = await toolsOf({ methods, tools: 'notes,nots' }, file, mcpFixtures)
    expect(wrong.problems).toHaveLength(1)
    expect(wrong.started).toBe(0)
  })
})

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

describe('the tools of a document', () => {
  const strategy = defineStrategy({
    name: 'documented',
    summary: 'Has tools of its own.',
    roles: { solver: 'produce' },
    options: z.object({}),
    toolsOf: () => ({
      notes: { kind: 'memory', config: {} },
      files: { kind: 'workspace', config: { allow: ['read'] } },
    }),
    run: async () => ({ answer: '', stopReason: 'done' }),
  })
  const method = { label: 'd', strategy: 'documented', options: {}, digest: 'x' }
  const select = (tools: string | undefined, file: string) => {
    const problems: Problem[] = []
    const config = parseConfig(file, 'c.yaml')
    const methods = {
      ...{ methods: [method], strategies: [{ strategy, digest: 'x' }] },
      ...{ entryOf: () => undefined, toolsOf: () => undefined },
    }
    const selected = selectTools(
      { options: { tools }, config, isFromFile: () => false },
      methods as never,
      problems,
    )
    const { given = [], known = new Map() } = selected.byMethod.get('d') ?? {}
    const isListed = selected.byMethod.has('d')
    return {
      given,
      known: [...known.keys()],
      problems: problems.map(formatProblem),
      ...(!isListed && { isListed }),
    }
  }

  it('are taken away by none, whatever else is wrong with them', () => {
    const config = 'tools: { notes: { kind: memory, config: { file: gone.md } } }'
    expect(select('none', config)).toEqual({ given: [], known: [], problems: [] })
    expect(select(' none ', config)).toEqual({ given: [], known: [], problems: [] })
  })

  it('are known, and given to no role', () => {
    expect(select(undefined, '{}')).toEqual({ given: [], known: ['notes', 'files'], problems: [] })
  })

  it('may have the id of a given tool with the same content, and no other', () => {
    const same = 'tools: { notes: { kind: memory, description: Mine. } }\n'
    expect(select('notes,write', same)).toEqual({
      ...{ given: ['workspace', 'notes'], known: ['notes', 'files', 'workspace'], problems: [] },
    })
    const { problems } = select('notes', 'tools: { notes: { kind: memory, config: { file: a } } }\n')
    expect(problems).toEqual([
      expect.stringMatching(/document tools\.notes\.config\] has the id "notes", as has another/),
    ])
  })

  it('may have no memory beside one that the method is given, and the error says what to write', () => {
    expect(select('write,memory,read', '{}').problems).toEqual([
      '[--methods d, document tools.notes.config] is the memory "notes" beside the memory "memory" that the method is given (--tools write,memory,read), so notes would be kept in two places. Rename notes to memory in the document, or give d the option tools=read+write.',
    ])
    const file = 'tools: { facts: { kind: memory, config: { file: a } } }\n'
    expect(select('facts', file).problems).toEqual([
      expect.stringMatching(
        /memory "notes" beside the memory "facts".* Do not give facts to d: .* baseline\[tools=facts\]\.$/,
      ),
    ])
    expect(select('read', '{}').problems).toEqual([])
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
  expect(notes).toEqual([
    'tool a: a.md is empty, so nothing can be recalled from it',
    'tool b: b.md has 1000001 characters; only the first 1000000 are searched',
  ])
})

it('the API says mistakes in the words of a request', () => {
  const problem = { where: '--tool-turns 1', what: 'conflicts with --allow-unsandboxed', fix: 'Add --tools.' }
  expect(inRequestWords(problem)).toEqual({
    ...{ where: 'run() toolTurns 1', what: 'conflicts with allowUnsandboxed', fix: 'Add tools.' },
  })
  const other = { where: 'c.yaml:3 tools', what: 'is --unknown', fix: 'Write bench run --resume RUN.' }
  expect(inRequestWords(other)).toEqual(other)
})

describe('tools that reach no role', () => {
  it.each([
    ['chained[stages=plan:review]', ['planner is of kind decide, reviewer is of kind judge']],
    ['chained[stages=test]', ['planner is of kind decide']],
    ['chained[stages=plan:build]', []],
    ['chained', []],
    ['dag:memory', []],
  ])('of %s are named, and the run does not hold them', async (text, kinds) => {
    const { tools, problems, notes } = await toolsOf({ methods: `a=${text}`, tools: 'read', toolTurns: '3' })
    expect(problems).toEqual([])
    expect(notes).toEqual(
      kinds.map(
        (kind) =>
          `a: the tools that it is given (read) change nothing: only roles of kind produce get them, and ${kind}`,
      ),
    )
    expect(tools.a?.given ?? []).toEqual(kinds.length > 0 ? [] : ['workspace'])
  })
})

describe('the tools of a graph document', () => {
  it.each([[{ methods: 'off=dag:memory[tools=none]' }], [{ methods: 'off=dag:memory', tools: 'none' }]])(
    'are taken away by none: %j',
    async (options) => {
      const { tools, problems } = await toolsOf(options)
      expect(problems).toEqual([])
      expect(tools).toEqual({ off: { known: {}, given: [], turns: 20 } })
    },
  )
})

it('an option named tools of a strategy of the user stays its own', async () => {
  const file = join(tempFolder(), 'own.mjs')
  writeFileSync(
    file,
    `import { z } from 'orchestration-bench'
export default { name: 'own', summary: 'x', roles: { solver: 'produce' }, options: z.strictObject({ tools: z.string().default('') }),
  run: async () => ({ answer: '', stopReason: 'done' }) }`,
  )
  const problems: Problem[] = []
  const { methods, toolsOf } = await selectMethods({ methods: `${file}[tools=hammer]` }, undefined, problems)
  expect(problems).toEqual([])
  expect(methods[0]?.options).toEqual({ tools: 'hammer' })
  expect(toolsOf(methods[0]?.label ?? '')).toBeUndefined()
})
