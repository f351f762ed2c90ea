import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import type { MergedOptions } from '../../../src/commands/config/merge-options.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { readTools, resolveTools } from '../../../src/commands/tools/resolve-tools.ts'
import { selectTools } from '../../../src/commands/tools/select-tools.ts'
import { rereadToolFiles } from '../../../src/commands/tools/tool-files.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { defineStrategy } from '../../../src/strategy.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { mcpFixtures } from '../../helpers/tools/mcp-tools.ts'

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
  const resolved =
    problems.length > 0 ? new Map() : await resolveTools(read, { cwd, sandbox, redact: undefined }, problems)
  return {
    tools: Object.fromEntries(resolved),
    problems: problems.map(formatProblem),
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
    expect(problem).toMatch(/--tool-turns .*is not a whole number/)
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
    return { given, known: [...known.keys()], problems: problems.map(formatProblem) }
  }

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
      '[--methods d, document tools.notes.config] is the memory "notes" beside the memory "memory" that the method is given (--tools write,memory,read), so notes would be kept in two places. Give d the option tools=read+write, or rename notes to memory in the document.',
    ])
    const file = 'tools: { facts: { kind: memory, config: { file: a } } }\n'
    expect(select('facts', file).problems).toEqual([
      expect.stringMatching(/memory "notes" beside the memory "facts".* Give d the option tools=none\.$/),
    ])
    expect(select('read', '{}').problems).toEqual([])
  })
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
