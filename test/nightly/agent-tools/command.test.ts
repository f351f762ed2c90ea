import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/api.ts'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'
import { mcpFixtures } from '../../helpers/tools/mcp-tools.ts'

const tasks = ['--tasks', 'seat-block,market-stalls', '--dev', '--quiet']
const lists = ['--methods', 'baseline,sequential,bare=baseline[tools=none]', '--tools', 'read,write,check']

it('a run with tools is resumed and replayed to the same records, and its reports say what each row had and did', async () => {
  const cwd = tempFolder()
  await benchOk([...tasks, ...lists, '--out', 'whole'], { cwd })
  expect((await bench([...tasks, ...lists, '--max-calls', '9', '--out', 'cut'], { cwd })).code).toBe(3)
  await benchOk(['run', '--resume', 'cut', '--max-calls', 'none', '--quiet'], { cwd })
  const lines = recordLines(join(cwd, 'whole'))
  expect(recordLines(join(cwd, 'cut')).sort()).toEqual([...lines].sort())
  for (const folder of ['whole', 'cut'])
    expect(await benchOk(['replay', folder, '--times', '3'], { cwd })).toMatch(/no divergence/)

  const records = recordsOf(join(cwd, 'whole'))
  const of = (method: string) => records.filter((record) => record.method === method)
  expect(of('bare').every(({ tools }) => tools === undefined)).toBe(true)
  const calls = stepsOf(join(cwd, 'whole')).filter(({ kind }) => kind === 'tool')
  expect(calls.length).toBeGreaterThan(0)
  expect(records.reduce((sum, { tools }) => sum + (tools?.calls ?? 0), 0)).toBe(calls.length)

  const text = (await benchOk(['report', 'whole'], { cwd })).replaceAll(/\s+/g, ' ')
  expect(text).toMatch(/baseline: tools of its agents: read, write, check; \d+ calls? of tools in/)
  expect(text).toContain('bare: tools of its agents: none.')
  expect(text).toMatch(/bare than baseline: .*so the tools are what is compared/)
  expect(text).toMatch(
    /sequential than bare: confounded with the tools\. The first has read, write, check; the second has none/,
  )
  for (const format of ['markdown', 'latex', 'html']) {
    const page = join(cwd, `report.${format}`)
    await benchOk(['report', 'whole', '--format', format, '--out', page], { cwd })
    const shown = readFileSync(page, 'utf8').replaceAll('\\allowbreak{}', '').replaceAll(/\s+/g, ' ')
    expect(shown, format).toContain('confounded with the tools')
    if (format !== 'latex') expect(shown, format).toContain('bare: tools of its agents: none')
  }
  const json = JSON.parse(await benchOk(['report', 'whole', '--format', 'json'], { cwd }))
  expect(json.methods.map(({ tools }: { tools: string }) => tools)).toEqual([
    ...['read, write, check', 'read, write, check', 'none'],
  ])
  const [head = '', first = ''] = (await benchOk(['report', 'whole', '--format', 'csv'], { cwd })).split('\n')
  expect(head).toContain('agent_tools,agent_tool_calls')
  expect(first).toContain('"read, write, check"')
  expect(await benchOk(['show', 'whole'], { cwd })).toMatch(/tools +baseline: read, write, check; at most 20/)
})

it('a run without tools has the ids, the manifest and the report that it had before there were tools', async () => {
  const cwd = tempFolder()
  const plain = ['--tasks', 'market-stalls', '--dev', '--quiet', '--methods', 'baseline,sequential']
  await benchOk([...plain, '--out', 'a'], { cwd })
  await benchOk([...plain, '--tools', 'none', '--out', 'b'], { cwd })
  expect(recordLines(join(cwd, 'a'))).toEqual(recordLines(join(cwd, 'b')))
  for (const folder of ['a', 'b']) {
    const { methods } = JSON.parse(readFileSync(join(cwd, folder, 'run.json'), 'utf8'))
    for (const method of methods) expect(method).not.toHaveProperty('tools')
    expect(await benchOk(['report', folder], { cwd })).not.toContain('tools of its agents')
  }
  const [first] = recordsOf(join(cwd, 'a'))
  await benchOk([...plain, '--tools', 'list', '--out', 'c'], { cwd })
  expect(recordsOf(join(cwd, 'c')).map(({ trial }) => trial)).not.toContain(first?.trial)
})

it('two runs with other tools are confounded with them, unless the method is the same', async () => {
  const cwd = tempFolder()
  const plain = ['--tasks', 'answers', '--dev', '--quiet']
  await benchOk([...plain, '--methods', 'baseline', '--out', 'a'], { cwd })
  await benchOk([...plain, '--methods', 'baseline,sequential', '--tools', 'memory', '--out', 'b'], { cwd })
  const same = await benchOk(['compare', 'b:baseline', 'a:baseline'], { cwd })
  expect(same.replaceAll(/\s+/g, ' ')).toMatch(
    /The first has memory; the second has none, so the tools are what is compared/,
  )
  const other = await benchOk(['compare', 'b:sequential', 'a:baseline'], { cwd })
  expect(other.replaceAll(/\s+/g, ' ')).toMatch(
    /confounded with the tools\. The first has memory; the second has none/,
  )
})

it('a memory file that changed since the run began stops its resume by name, and a replay does not need it', async () => {
  const cwd = tempFolder()
  const file = join(cwd, 'lore.md')
  writeFileSync(file, '# Stalls\n\nThe first clue decides.\n')
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    'tools: { lore: { kind: memory, config: { file: lore.md } } }\n',
  )
  const begin = ['--tasks', 'answers', '--dev', '--quiet', '--methods', 'baseline', '--tools', 'lore']
  expect((await bench([...begin, '--max-calls', '3', '--out', 'run'], { cwd })).code).toBe(3)
  const resume = ['run', '--resume', 'run', '--max-calls', 'none', '--quiet']
  writeFileSync(file, 'Other text.\n')
  const words = [/tool lore, file lore\.md\] has changed since the run began/, /start a new run/]
  await refused(resume, words, { cwd })
  rmSync(file)
  await refused(resume, [/tool lore, file lore\.md\] can no longer be read/], { cwd })
  await benchOk(['replay', 'run'], { cwd })
  writeFileSync(file, '# Stalls\n\nThe first clue decides.\n')
  await benchOk(resume, { cwd })
  expect(recordsOf(join(cwd, 'run'))).toHaveLength(8)
})

it('the API takes tools and their turns, as the command line does', async () => {
  const out = join(tempFolder(), 'run')
  await run({ tasks: 'market-stalls', methods: 'baseline', tools: ['read', 'memory'], toolTurns: 4, out })
  const { methods } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  expect(methods[0].tools).toEqual({
    known: { workspace: { kind: 'workspace', allow: ['read'] }, memory: { kind: 'memory' } },
    ...{ given: ['workspace', 'memory'], turns: 4 },
  })
  await expect(run({ tasks: 'market-stalls', methods: 'baseline', tools: 'raed' })).rejects.toThrow(/"read"/)
  await expect(run({ tools: 5 } as never)).rejects.toThrow(/run\(\) tools/)
})

it('all mistakes about tools are named at once, and nothing is begun', async () => {
  const cwd = folderOf({
    'bench.config.yaml':
      'tools:\n  read: { kind: memory }\n  lore: { kind: memory, config: { file: gone.md } }\n',
  })
  const methods = 'baseline[tools=reed],b=baseline[tools=none+list],c=baseline[tools=read,list]'
  const args = argv`--tasks market-stalls --methods ${methods} --tools lore,lor,lore --tool-turns 1`
  await refused(
    argv`${args} --out run`,
    [
      /bench\.config\.yaml:2 tools\.read\] "read" is a word of --tools/,
      /"reed"\. Did you mean "read"/,
      /names tools and none/,
      /join tools with \+: tools=read\+list/,
      /no tool "lor"\. Did you mean "lore"/,
      /names the tool "lore" twice/,
      /--tool-turns 1\] must be at least 2/,
    ],
    { cwd },
  )
  const file = ['--tasks', 'market-stalls', '--methods', 'baseline[tools=lore]']
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    'tools: { lore: { kind: memory, config: { file: gone.md } } }\n',
  )
  await refused(file, [/tools\.lore.*gone\.md.*does not exist/], { cwd })
  await refused(argv`${file.slice(0, 2)} --methods baseline --tool-turns 5`, [/no method has tools/], { cwd })
  await refused(['run', '--resume', 'run', '--tools', 'read'], [/--tools\] conflicts with --resume/], { cwd })
  expect(existsSync(join(cwd, 'run'))).toBe(false)
})

it('rows whose agents call no tools are named before the run', async () => {
  const cwd = tempFolder()
  const args = ['--tasks', 'market-stalls', '--methods', 'baseline', '--tools', 'read', '--agents', 'oracle']
  const { stderr } = await bench([...args, '--dev', '--out', 'run'], { cwd })
  expect(stderr).toMatch(/baseline: the tools that it is given change nothing: no tools are called by oracle/)
  expect(await benchOk(['report', 'run'], { cwd })).not.toContain('tools of its agents: read')
})

it('a state of a workflow that runs alone has the tools of its command line', async () => {
  const cwd = tempFolder()
  const machine = `name: small
orchestrator: { persona: write }
agents: { ada: {} }
personas: { write: write.md }
states:
  start: { type: initial, next: draft }
  draft: { type: fan-out, agents: [ada], persona: write, output: 'drafts/{agent}.md', transitions: { all_success: done, all_failure: broken } }
  done: { type: terminal }
  broken: { type: terminal, error: true }
`
  writeFileSync(join(cwd, 'small.yaml'), machine)
  writeFileSync(join(cwd, 'write.md'), '# Your task\nWrite a post.\n\n# Output\nText.\n')
  const step = argv`step small.yaml draft --request ${'Write a post.'} --dev --quiet --out run`
  await benchOk([...step, '--tools', 'memory', '--tool-turns', '3'], { cwd })
  const { methods } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))
  expect(methods[0].tools).toEqual({ known: { memory: { kind: 'memory' } }, given: ['memory'], turns: 3 })
})

const tool = (allow: string, more = '') =>
  `tools: { notes: { kind: mcp, config: { command: [node, notes.mjs], files: [notes.mjs], allow: [${allow}]${more} } } }\n`

/** A folder with the server of the fixtures and a config file that describes it. */
function project(config = tool('add, count')): string {
  const cwd = tempFolder()
  copyFileSync(join(mcpFixtures, 'notes.mjs'), join(cwd, 'notes.mjs'))
  writeFileSync(join(cwd, 'bench.config.yaml'), config)
  return cwd
}

/** An agent that calls the server before it answers, and its answers are real. */
const agent = `export default () => [{ toolCalls: [{ name: 'notes__add', arguments: { a: 2, b: 3 } }] }, 'Answer: 5']\n`

const base = ['--tasks', 'market-stalls', '--methods', 'baseline', '--tools', 'notes', '--quiet']
const full = needs('bwrap')

full.describe('a run with an MCP tool of the config file', () => {
  it('calls its server in the sandbox, records its version, and is resumed and replayed to the same records', async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, 'agent.mjs'),
      `export default [[{ toolCalls: [{ name: 'notes__add', arguments: { a: 2, b: 3 } }], durationMs: 5 }, { text: 'Answer: 5', durationMs: 7 }]]\n`,
    )
    const args = ['--tasks', 'answers', '--methods', 'baseline', '--tools', 'notes', '--quiet']
    const agents = ['--agents', 'scripted:agent.mjs']
    await benchOk([...args, ...agents, '--out', 'whole'], { cwd })
    const calls = stepsOf(join(cwd, 'whole')).filter((step) => step.kind === 'tool')
    expect(calls).toHaveLength(8)
    expect(calls[0]).toMatchObject({ outcome: 'ok', tool: 'notes', sandbox: 'full' })
    const [record] = recordsOf(join(cwd, 'whole'))
    expect(record?.tools).toMatchObject({ calls: 1, turns: 2, asks: 1, servers: [{ id: 'notes' }] })
    expect((await bench([...args, ...agents, '--max-calls', '5', '--out', 'cut'], { cwd })).code).toBe(3)
    await benchOk(['run', '--resume', 'cut', '--max-calls', 'none', '--quiet'], { cwd })
    expect(recordLines(join(cwd, 'cut')).sort()).toEqual(recordLines(join(cwd, 'whole')).sort())
    // A replay starts no server.
    writeFileSync(join(cwd, 'notes.mjs'), 'process.exit(1)\n')
    await benchOk(['replay', 'whole'], { cwd })
    await refused(['run', '--resume', 'whole'], [/tool notes, file notes\.mjs\] has changed/], { cwd })
    expect(await benchOk(['show', 'whole'], { cwd })).toMatch(/tools +baseline: notes \(\S+ \S+\)/)
  })

  it('names what the server does not have, and begins no run', async () => {
    const cwd = project(tool('add, nothing'))
    await refused([...base, '--out', 'run'], [/nothing/], { cwd })
    writeFileSync(join(cwd, 'bench.config.yaml'), tool('add').replace('notes.mjs]', 'gone.mjs]'))
    await refused([...base, '--out', 'run'], [/tools\.notes/], { cwd })
    expect(existsSync(join(cwd, 'run'))).toBe(false)
  })

  it('of another user is resumed only with --trust-code, and replayed without a question', async () => {
    const cwd = project()
    const args = ['--tasks', 'answers', ...base.slice(2), '--dev', '--max-calls', '4', '--out', 'run']
    expect((await bench(args, { cwd })).code).toBe(3)
    const theirs = join(tempFolder(), 'theirs')
    cpSync(cwd, theirs, { recursive: true })
    const resume = ['run', '--resume', 'run', '--max-calls', 'none', '--quiet']
    await refused(
      resume,
      [/was not started by you/, /starts this program: node notes\.mjs/, /--trust-code/],
      { cwd: theirs },
    )
    await benchOk(['replay', 'run'], { cwd: theirs })
    await benchOk([...resume, '--trust-code'], { cwd: theirs })
    expect(recordsOf(join(theirs, 'run'))).toHaveLength(8)
    await benchOk(resume, { cwd })
  })
})

describe('below sandbox level full, an MCP tool', () => {
  const none = ['--sandbox', 'none']
  const words = [/tool notes\] is a program that would run in no sandbox/, /--allow-unsandboxed/]

  it('of the config file or a method is refused before anything starts, in a run and in a dry run', async () => {
    const cwd = project(
      tool('add', ', env: { MARK: x }').replace('[node, notes.mjs]', '[sh, -c, "touch started; exit 1"]'),
    )
    for (const more of [
      [],
      ['--dry-run'],
      ['--confirm-above', '1', '--agents', 'scripted:paid.mjs', '--mode', 'live'],
    ]) {
      writeFileSync(
        join(cwd, 'paid.mjs'),
        `export const paid = true\nexport const simulated = false\n${agent}`,
      )
      await refused([...base, ...none, ...more, '--out', 'run'], words, { cwd })
    }
    const own = ['--tasks', 'market-stalls', '--methods', 'baseline[tools=notes]', ...none]
    await refused(own, words, { cwd })
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    expect(existsSync(join(cwd, 'run'))).toBe(false)
  })

  it('runs with --allow-unsandboxed and a warning', async () => {
    const cwd = project()
    const args = [...base, ...none, '--dev', '--allow-unsandboxed', '--out', 'run']
    const { code, stderr } = await bench(args, { cwd })
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/the program of tool notes runs in no sandbox because of --allow-unsandboxed/)
    const resume = ['run', '--resume', 'run', ...none]
    await refused(resume, words, { cwd })
    const { methods } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))
    expect(methods[0].tools.known.notes).toMatchObject({ kind: 'mcp', command: ['node', 'notes.mjs'] })
  })
})

it('the tool check needs the sandbox as the checks of a method do: the code of a paid agent would run', async () => {
  const cwd = folderOf({ 'paid.mjs': `export const paid = true\nexport const simulated = false\n${agent}` })
  const live = ['--mode', 'live', '--agents', 'scripted:paid.mjs', '--sandbox', 'none', '--tools', 'check']
  const args = ['--methods', 'baseline', '--quiet', ...live]
  await refused(
    argv`--tasks duration-text ${args}`,
    [/paid\.mjs\] writes code that would run in no sandbox/],
    {
      cwd,
    },
  )
  const { code, stderr } = await bench(['--tasks', 'market-stalls', ...args, '--out', 'run'], { cwd })
  expect(stderr).not.toMatch(/sandbox/)
  expect(code).not.toBe(2)
})
