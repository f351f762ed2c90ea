import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderWith } from '../../cli/config-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { asksOf, benchOk, manifestOf, recordsOf, refused, shareProcess } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

shareProcess()

it('`capture` changes what exports hold, and not a byte of the ledger', async () => {
  const run = (capture: string) => {
    const cwd = folderWith(
      'run: { tasks: ferry-morning, methods: [sequential, baseline] }',
      `capture: ${capture}`,
    )
    return benchOk(['--quiet', '--out', 'run'], { cwd }).then(() => cwd)
  }
  const all = await run('{ prompts: true, usage: true, outputs: true, summaries: true, previews: true }')
  const none = await run(
    '{ prompts: false, usage: false, outputs: false, summaries: false, previews: false }',
  )
  const ledger = (cwd: string) => readFileSync(join(cwd, 'run', 'steps.jsonl'))
  expect(ledger(none)).toEqual(ledger(all))

  const trial = recordsOf(join(none, 'run'))[0]?.trial ?? ''
  const prompt = '| # What to hand in'
  const left = 'left out: capture.prompts is false'
  expect(await benchOk(['show', 'run', trial], { cwd: all })).toContain(prompt)
  const shown = await benchOk(['show', 'run', trial], { cwd: none })
  expect(shown).toContain(left)
  expect(shown).not.toContain(prompt)
  expect(await benchOk(['show', 'run', trial, '--full'], { cwd: none })).toContain(prompt)
  const page = await benchOk(['report', 'run', '--format', 'html'], { cwd: none })
  expect(page).toContain(left)
  expect(page).not.toContain('What to hand in')
})

it('the file gives defaults, the command line wins, and resume and replay do not need the file', async () => {
  const cwd = folderWith(
    'run:',
    '  { tasks: ferry-morning, methods: [careful, baseline], epochs: 2, seed: 7, agents: anthropic:nobody,',
    '    family: baseline, outcome: score, margin: 5 }',
    'roles: { auditor: anthropic:nobody }',
    'methods:',
    '  careful: { strategy: sequential, options: { maxInner: 4 }, limits: { calls: 9 }, budget: { calls: 500 } }',
    'limits: { trial: { calls: 30, checks: 3 }, ask: { calls: 3 }, method: { tokens: 90000000 } }',
    'capture: { prompts: false }',
  )
  const folder = join(cwd, 'run')
  await benchOk(['--quiet', '--out', folder, '--epochs', '1', '--limit', 'checks=5'], { cwd })
  expect(manifestOf(folder)).toMatchObject({
    mode: 'dev',
    epochs: 1,
    seed: 7,
    agents: { '*': 'simulated' },
    baseline: 'baseline',
    comparison: { family: 'baseline', outcome: 'score', margin: 0.05 },
    methods: [
      { label: 'careful', strategy: 'sequential', limits: { calls: 9 } },
      { label: 'baseline', strategy: 'baseline' },
    ],
    limits: { calls: 30, checks: 5 },
    askLimits: { calls: 3 },
    budgets: { methods: { careful: { calls: 500, tokens: 90000000 }, baseline: { tokens: 90000000 } } },
    config: { file: 'bench.config.yaml', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(manifestOf(folder).methods[0]?.options.maxInner).toBe(4)
  for (const { prompt } of asksOf(folder)) expect(prompt).not.toContain('capture')
  rmSync(join(cwd, 'bench.config.yaml'))
  expect(await benchOk(['replay', folder], { cwd })).toContain('no divergence')
  rmSync(join(folder, 'records.jsonl'))
  writeFileSync(join(folder, 'records.jsonl'), '')
  await benchOk(['--resume', folder, '--quiet'], { cwd })
  expect(recordsOf(folder)).toHaveLength(2)
})

it('agents of the file answer for roles and methods, with their settings, prices and variables', async () => {
  const server = await startModelServer([{ text: 'The answer is 42. {"approved": true}', always: true }])
  onTestFinished(() => server.close())
  const cwd = folderWith(
    'run: { mode: live, tasks: ferry-morning, methods: [baseline, cheap], agents: main, allowUnsandboxed: true }',
    'agents:',
    `  main: { provider: anthropic, model: claude-sonnet-4-5, maxOutput: 321, prices: { input: 1000, output: 0 } }`,
    `  little: openai-compatible:little`,
    'methods:',
    '  cheap: { strategy: baseline, roles: { solver: little } }',
    'providers:',
    `  anthropic: { baseUrl: "${server.url}", keyVariable: MY_KEY, limits: { concurrent: 2 } }`,
    `  openai-compatible: { baseUrl: "${server.url}/v1" }`,
    'capture: { usage: false }',
  )
  const folder = join(cwd, 'run')
  const env = { MY_KEY: 'sk-test-0123456789abcdef', ANTHROPIC_API_KEY: undefined }
  await benchOk(['--quiet', '--out', folder], { cwd, env })
  const main = 'main=anthropic:claude-sonnet-4-5'
  expect(manifestOf(folder)).toMatchObject({
    agents: { '*': main },
    agentSettings: { [main]: { maxOutput: 321 } },
    endpoints: { [main]: `${server.url}/v1`, 'openai-compatible:little': `${server.url}/v1` },
    providers: { anthropic: { keyVariable: 'MY_KEY', limits: { concurrent: 2 } } },
  })
  const [first, second] = asksOf(folder).sort((a, b) => a.agent.localeCompare(b.agent))
  expect([first?.agent, second?.agent]).toEqual([main, 'openai-compatible:little'])
  expect(first).toMatchObject({ costSource: 'file', costUsd: (first?.tokens.input ?? 0) / 1000 })
  expect(first?.usage).toBeDefined()
  expect(JSON.stringify(server.log)).toContain('321')
  // The table has the model, but its list price is not that of another server.
  const repriced = JSON.parse(await benchOk(['reprice', folder, '--json', '--no-config'], { cwd })) as {
    methods: unknown[]
  }
  expect(repriced.methods).toContainEqual(expect.objectContaining({ method: 'baseline', unknownNow: 1 }))

  // The command line's agent is for all roles.
  const other = join(cwd, 'other')
  await benchOk(['--quiet', '--out', other, '--agents', 'little'], { cwd, env })
  for (const { agent } of asksOf(other)) expect(agent).toBe('openai-compatible:little')
})

it('the window of an agent is in run.json, and neither in its name nor in the id of a trial', async () => {
  const run = async (agent: string) => {
    const cwd = folderWith(`agents: { main: ${agent} }`)
    const args = argv`--tasks ferry-morning --methods baseline --agents main --quiet --out run`
    await benchOk(args, { cwd })
    return {
      manifest: manifestOf(join(cwd, 'run')),
      trials: recordsOf(join(cwd, 'run')).map(({ trial }) => trial),
    }
  }
  const without = await run('simulated')
  const small = await run('{ provider: simulated, window: 1000 }')
  const large = await run('{ provider: simulated, window: 200000 }')
  expect(small.manifest.agentSettings).toEqual({ simulated: { window: 1000 } })
  expect(small.manifest.agents).toEqual({ '*': 'simulated' })
  expect(small.trials).toEqual(without.trials)
  expect(large.trials).toEqual(without.trials)
})

it('the family of an agent changes neither its name nor an id, two families of one agent are refused, and the report names the related', async () => {
  const run = async (...agents: string[]) => {
    const cwd = folderWith('agents:', ...agents.map((agent, at) => `  m${at + 1}: ${agent}`))
    const asked = argv`--profile mix --agent worker-1=m1 --agent worker-2=m2`
    const methods = argv`--methods consensus[agents=2]`
    await benchOk([...argv`--tasks ferry-morning --quiet --out run`, ...methods, ...asked], { cwd })
    const manifest = manifestOf(join(cwd, 'run'))
    const report = (await benchOk(argv`report run`, { cwd })).replace(/\s+/g, ' ')
    return { manifest, report, trials: recordsOf(join(cwd, 'run')).map(({ trial }) => trial) }
  }
  const model = (name: string, family: string) => `{ provider: simulated, model: ${name}, family: ${family} }`
  const without = await run('simulated:cheap', 'simulated:dear')
  const related = await run(model('cheap', 'qwen'), model('dear', 'Qwen'))
  const apart = await run(model('cheap', 'qwen'), model('dear', 'llama'))
  expect(related.manifest.agentSettings).toEqual({
    'simulated:cheap': { family: 'qwen' },
    'simulated:dear': { family: 'Qwen' },
  })
  expect([related.trials, apart.trials]).toEqual([without.trials, without.trials])
  const note = 'related agents: worker-1 (simulated:cheap) and worker-2 (simulated:dear)'
  expect([related, apart, without].map(({ report }) => report.includes(note))).toEqual([true, false, false])
  const twice = folderWith('agents:', `  a: ${model('dear', 'qwen')}`, `  b: ${model('dear', 'llama')}`)
  const what = /:3\b.*is llama, but "a" is the same agent, simulated:dear, of qwen/
  await refused(argv`--tasks ferry-morning --methods baseline`, [what], { cwd: twice })
})

it('a window that is no number of tokens, or one of two, is refused with its line', async () => {
  const cwd = folderWith(
    'agents:',
    '  a: { provider: simulated, window: 0 }',
    '  b: { provider: anthropic, model: m, window: 1.5 }',
  )
  await refused(['--tasks', 'ferry-morning'], [/:2\b.*window/, /:3\b.*window/], { cwd })
  const twice = folderWith(
    'agents:',
    '  a: { provider: anthropic, model: m, window: 1000 }',
    '  b: { provider: anthropic, model: m, window: 2000 }',
    '  c:',
    '    { provider: cli, model: m, window: 7, program: { command: [x], text: $.a, window: 8 } }',
  )
  const texts = [
    /:3\b.*"a" is the same agent, anthropic:m, with 1000/,
    /:5\b.*is 7, but its program.window is 8/,
  ]
  await refused(['--tasks', 'ferry-morning', '--methods', 'baseline'], texts, { cwd: twice })
})

it('an error names the flag or the line of the file that it comes from', async () => {
  const cwd = folderWith(
    'run:',
    '  tasks: ferry-mornin',
    '  methods: [careful]',
    '  failIf: nobody.success<1',
    '  baseline: other',
    'methods:',
    '  careful: { strategy: sequential, options: { maxInner: none, maxIner: 2 } }',
  )
  await refused(
    argv`--epochs 0`,
    [
      /\[bench\.config\.yaml:2 run\.tasks.*ferry-mornin/,
      /\[bench\.config\.yaml:7 methods\.careful\.options\.maxInner\]/,
      /\[bench\.config\.yaml:7 methods\.careful\.options\.maxIner\].*Did you mean "maxInner"/,
      /\[--epochs 0\]/,
    ],
    { cwd },
  )
  await refused(argv`--methods baseline --tasks ferry-morning --baseline x`, [/\[--baseline x\]/], {
    cwd,
  })
  await refused(['--config', 'none.yaml'], [/\[--config none\.yaml\] cannot be read/], { cwd })
  await refused(['--no-config'], [/\[--tasks\] is missing/], { cwd })
  await refused(['--resume', 'x', '--config', 'bench.config.yaml'], [/conflicts with --resume/], { cwd })
})

it('impossible methods, agents and secrets of the file are reported once, with their lines, used or not', async () => {
  const cwd = folderWith(
    'methods:',
    '  m: { strategy: nosuch }',
    '  own: { strategy: ./none.ts }',
    '  bare: { options: { turns: 2 } }',
    '  careful: { strategy: sequential, options: { maxIner: 2 }, roles: { auditor: nope:y } }',
    'agents:',
    '  a: nope:x',
    '  b: anthropic',
    'roles: { solver: nope:z }',
    'secrets: [NOPE_X]',
  )
  const lines = [
    /^bench: \[bench\.config\.yaml:2 methods\.m\.strategy\] there is no method "nosuch"\. Known: /m,
    /^bench: \[bench\.config\.yaml:3 methods\.own\.strategy\] there is no file \.\/none\.ts/m,
    /^bench: \[bench\.config\.yaml:4 methods\.bare\] there is no method "bare"\. Add strategy: with one of baseline/m,
    /^bench: \[bench\.config\.yaml:5 methods\.careful\.options\.maxIner\] .*Did you mean "maxInner"/m,
    /^bench: \[bench\.config\.yaml:5 methods\.careful\.roles\.auditor\] there is no provider "nope"/m,
    /^bench: \[bench\.config\.yaml:7 agents\.a\] there is no provider "nope"/m,
    /^bench: \[bench\.config\.yaml:8 agents\.b\] "anthropic" needs MODEL after it\. Write anthropic:MODEL/m,
    /^bench: \[bench\.config\.yaml:9 roles\.solver\] there is no provider "nope"/m,
    /^bench: \[bench\.config\.yaml:10 secrets\.0 NOPE_X\] is not set/m,
  ]
  const small = ['--tasks', 'ferry-morning']
  const unused = await refused([...small, '--methods', 'baseline'], lines, { cwd })
  const used = [...small, '--methods', 'm,own,bare,careful,baseline', '--mode', 'live', '--agents', 'a']
  for (const { stderr } of [unused, await refused(used, lines, { cwd })])
    expect(stderr.trim().split('\n')).toHaveLength(lines.length)
  const typed = [...small, '--methods', 'm[x=1],careful[maxOutr=1]', '--secret', 'sk-abcdefghijklmnop']
  const { stderr } = await refused(
    typed,
    [
      ...lines,
      /^bench: \[--methods careful\[maxOutr=1\]\].*"maxOuter"/m,
      /^bench: \[--secret\] is not the name of/m,
    ],
    { cwd },
  )
  expect(stderr).not.toContain('sk-abc')
})

it('the command line can add options to a method of the file', async () => {
  const cwd = folderWith('methods:', '  w: { strategy: consensus, options: { vote: weighted } }')
  const small = ['--tasks', 'ferry-morning', '--quiet']
  await benchOk([...small, '--methods', 'baseline'], { cwd })
  await benchOk([...small, '--methods', 'w[weights=1:2:3]'], { cwd })
  await refused([...small, '--methods', 'w'], [/must be set with vote=weighted, and only then/], { cwd })
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    'methods:\n  w: { strategy: consensus, options: { vote: weighted, weights: "1:0:2" } }\n',
  )
  await refused([...small, '--methods', 'baseline'], [/bench\.config\.yaml:2 .*must be above 0/], { cwd })
})

it('bench init writes a file that works when all its examples are uncommented', async () => {
  const cwd = tempFolder()
  await benchOk(['--tasks', 'ferry-morning', '--methods', 'baseline', '--out', 'earlier', '--quiet'], { cwd })
  await benchOk(['init'], { cwd })
  const file = join(cwd, 'bench.config.yaml')
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.map((line) => line.replace(/^# (?!yaml-)/, '')).join('\n'))
  const env = { INTERNAL_HOST: 'inside.example.org' }
  const text = await benchOk(['run', '--dry-run', '--estimate-from', 'earlier'], { cwd, env })
  expect(text).toMatch(/^ *sequential +\d+ +unknown /m)
  expect(text).toMatch(/^ *baseline +\d+ +[\d.,]+ /m)
})
