import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { selectTools } from '../../../src/commands/tools/select-tools.ts'
import { rereadToolFiles } from '../../../src/commands/tools/tool-files.ts'
import type { Tool } from '../../../src/schema/tool/tool.ts'
import { defineStrategy } from '../../../src/strategy.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { mcpFixtures } from '../../helpers/tools/mcp-tools.ts'

import { resolvedTools as toolsOf } from '../../helpers/tools/resolved-tools.ts'

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
  const select = (tools: string | undefined, file: string, documented?: Record<string, Tool>) => {
    const problems: Problem[] = []
    const config = parseConfig(file, 'c.yaml')
    const methods = {
      ...{
        methods: [method],
        strategies: [
          { strategy: documented ? { ...strategy, toolsOf: () => documented } : strategy, digest: 'x' },
        ],
      },
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

  it('with a key are refused, also where none takes them away, since run.json holds the document', () => {
    const key = `sk-${'ant-api03'}-${'aB3dE5fG7hI9jK1lM2nO4pQ6'}`
    const config = {
      ...{ command: ['node'], allow: ['x'], files: [], env: { KEY: key }, workspace: false, stateless: true },
      ...{ timeout_ms: 1, max_bytes: 1 },
    }
    for (const tools of [undefined, 'none'])
      expect(select(tools, '{}', { calc: { kind: 'mcp', config } }).problems).toEqual([
        expect.stringMatching(
          /^\[--methods d, document tools\.calc\.config\.env\.KEY\] gives its server what looks like an API key; no server/,
        ),
      ])
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
    expect(select('write,memory,read', '{}').problems).toMatchSnapshot()
    const file = 'tools: { facts: { kind: memory, config: { file: a } } }\n'
    expect(select('facts', file).problems).toEqual([
      expect.stringMatching(
        /memory "notes" beside the memory "facts".* Do not give facts to d: .* baseline\[tools=facts\]\.$/,
      ),
    ])
    expect(select('read', '{}').problems).toEqual([])
  })
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
  it.each([{ methods: 'off=dag:memory[tools=none]' }, { methods: 'off=dag:memory', tools: 'none' }])(
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
