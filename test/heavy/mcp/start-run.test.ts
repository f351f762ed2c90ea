import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { readManifest } from '../../../src/loop/record/run-folder.ts'
import { readSessions } from '../../../src/loop/record/sessions.ts'
import { familySetting } from '../../helpers/agents/wire-families.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { openBenchMcp } from '../../helpers/mcp/bench-client.ts'
import { bench, recordsOf, stepsOf, until } from '../../helpers/runs/cli.ts'

it('a client starts runs that cost nothing, and gets the first screen of the report', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'mine.csv'), 'question,answer\nWhat is 1 + 1?,2\n')
  // A config file could name agents that cost money.
  writeFileSync(join(cwd, 'bench.config.yaml'), 'run: { mode: live, agents: anthropic:claude-sonnet-4-5 }\n')
  const { call } = await openBenchMcp(cwd)
  const { text, isError } = await call('start_run', {
    name: 'mine',
    tasks: 'csv:mine.csv,ferry-morning',
    methods: 'baseline,B=retry[n=2]',
    epochs: 2,
  })
  expect(isError, text).toBe(false)
  expect(text).toContain('2 methods on 2 tasks')
  expect(readManifest(join(cwd, 'results/mine')).simulated).toBe(true)
  expect((await call('start_run', { name: 'mine', methods: 'baseline' })).text).toContain(
    'is taken in results',
  )
  expect((await call('stop_run', { run: 'mine' })).isError).toBe(true)
})

const refused: [string, Record<string, unknown>, RegExp][] = [
  ['a vendor', { agents: 'anthropic:claude-sonnet-4-5' }, /may cost money/],
  ['a program', { agents: 'claude-cli:opus' }, /may cost money/],
  ['a role of a vendor', { agents: 'simulated,auditor=openai:gpt-5' }, /may cost money/],
  ['a module', { agents: 'scripted:evil.mjs' }, /is a program of a file/],
  ['a module for a role', { agents: 'solver=scripted:./evil.mjs' }, /is a program of a file/],
  ['a module behind a space', { agents: 'solver= scripted:./evil.mjs' }, /is a program of a file/],
  ['a second file of replies', { agents: 'recorded:a.jsonl,/x/b.jsonl' }, /is no path inside/],
  ['replies of a model elsewhere', { agents: 'recorded:m@../x' }, /is no path inside/],
  ['replies elsewhere', { agents: 'recorded:/etc/passwd' }, /is no path inside of the working folder/],
  ['a strategy of a file', { methods: './evil.mjs' }, /no name of a built-in method/],
  ['a strategy behind a label', { methods: 'A=evil.mjs' }, /no name of a built-in method/],
  ['a document', { methods: 'fanout:evil.yaml' }, /no name of a built-in method/],
  ['an option with a path', { methods: 'baseline[prompt=../evil.txt]' }, /names a file: \.\.\/evil\.txt/],
  ['an option with a key', { methods: 'baseline,B=retry[n=2,prompt= .env]' }, /names a file: \.env/],
  ['a document in an option', { methods: 'dag[workflow=evil.yaml#main]' }, /names a file: evil\.yaml#main/],
  ['a folder in an option', { methods: 'collaboration[folder=mine]' }, /names a file: mine/],
  ['tasks elsewhere', { tasks: 'csv:/etc/passwd' }, /is no path inside of the working folder/],
  ['tasks above', { tasks: 'answers,jsonl:../x.jsonl' }, /is no path inside of the working folder/],
  ['tasks elsewhere after a space', { tasks: 'answers, csv:/etc/passwd' }, /\/etc\/passwd is no path inside/],
  ['tasks elsewhere behind a colon', { tasks: 'csv:mine.csv:/../../x.csv' }, /is no path inside/],
  ['tasks through a link', { tasks: 'csv:mine/link.csv' }, /a link leads out of it/],
  ['a folder with a link', { tasks: 'native:mine' }, /a link leads out of it/],
  ['tasks like a key', { tasks: 'csv:.env' }, /is named like a key/],
  ['a module that grades', { tasks: 'csv:mine.csv?grader=evil.mjs' }, /is a program of a file/],
  ['a folder above', { tasks: '../tasks' }, /is no path inside of the working folder/],
  ['a name with a path', { name: '../run' }, /no name of a folder/],
  ['a hidden name', { name: '.run' }, /no name of a folder/],
  ['a name like an option', { name: '--resume' }, /no name of a folder/],
]

it('without --allow-spend a client starts no program, no paid agent and reads nothing elsewhere', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'evil.mjs'), `import fs from 'node:fs'; fs.writeFileSync('${cwd}/ran', '')`)
  for (const file of ['.env', 'mine.csv']) writeFileSync(join(cwd, file), 'question,answer\nWho?,I\n')
  mkdirSync(join(cwd, 'mine'))
  symlinkSync('/etc/passwd', join(cwd, 'mine/link.csv'))
  const before = readdirSync(cwd)
  const { call } = await openBenchMcp(cwd)
  for (const [what, args, problem] of refused) {
    const { text, isError } = await call('start_run', {
      name: 'run',
      tasks: 'answers',
      methods: 'baseline',
      ...args,
    })
    expect([what, isError], text).toEqual([what, true])
    expect(text, what).toMatch(problem)
  }
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
  expect(readdirSync(cwd)).toEqual(before)
})

/** Each call costs $0.45. */
const dear = { text: 'Answer: 42', usage: { input: 100_000, output: 10_000 }, always: true } as const
const paid = { tasks: 'answers', agents: 'own', parallel: 1 }

/** A folder whose config file prices an agent. */
const folderWithAgent = () =>
  folderOf({
    'bench.config.yaml':
      'agents:\n  own: { provider: openai-compatible, model: m, prices: { input: 3, output: 15 } }\n',
  })

it('all paid runs of a server together spend what --allow-spend says, but for a call in flight each', async () => {
  const { server, env } = await familySetting([dear])
  const cwd = folderWithAgent()
  const { call } = await openBenchMcp(cwd, ['--allow-spend', '3'], env)
  const first = await call('start_run', { name: 'first', methods: 'baseline', max_cost: 1, ...paid })
  expect(first.text).toContain('bench run --resume')
  expect(first.text).not.toMatch(/passes|% \[95%\]/)
  const spentOf = (run: string) => sumRunBill(join(cwd, 'results', run)).method.costUsd ?? 0
  expect(spentOf('first')).toBeCloseTo(1.35, 5)
  await call('start_run', { name: 'second', methods: 'retry[n=9]', ...paid })
  expect(spentOf('second')).toBeCloseTo(1.8, 5)
  const asked = server.asked()
  const third = await call('start_run', { name: 'third', methods: 'baseline', ...paid })
  expect(third).toMatchObject({ isError: true })
  expect(third.text).toContain('may spend no more: $0 are left of --allow-spend 3')
  expect(server.asked()).toBe(asked)
  // What costs nothing still starts.
  expect((await call('start_run', { name: 'free', tasks: 'answers', methods: 'baseline' })).isError).toBe(
    false,
  )
})

it('two runs of one name at once are one run, which keeps its share of --allow-spend', async () => {
  const { server, env } = await familySetting([{ ...dear, failure: { kind: 'slow', ms: 300 } as const }])
  const cwd = folderWithAgent()
  const { call } = await openBenchMcp(cwd, ['--allow-spend', '2'], env)
  const one = { name: 'one', methods: 'baseline', max_cost: 1, ...paid }
  const [first, second] = await Promise.all([call('start_run', one), call('start_run', one)])
  expect(first.text).toContain('bench run --resume')
  expect(second.text).toContain('is taken in results')
  const asked = server.asked()
  expect(sumRunBill(join(cwd, 'results/one')).method.costUsd).toBeCloseTo(asked * 0.45, 5)
})

it('four runs of a server work at a time', async () => {
  const { call } = await openBenchMcp(tempFolder())
  const start = (name: string) =>
    call('start_run', { name, tasks: 'code', methods: 'baseline', epochs: 500, parallel: 1, wait_seconds: 0 })
  for (const name of ['a', 'b', 'c', 'd']) expect((await start(name)).text).toContain('works on')
  expect((await start('e')).text).toContain('4 runs of this server work already')
})

it('with --allow-spend a name of the config file does not load code of a file', async () => {
  const cwd = folderOf({
    'evil.mjs': "import fs from 'node:fs'; fs.writeFileSync('ran', '')",
    'bench.config.yaml':
      'agents:\n  own: scripted:evil.mjs\n  other: { provider: scripted, model: evil.mjs }\n',
  })
  const { call } = await openBenchMcp(cwd, ['--allow-spend', '1'])
  for (const agents of ['own', 'other', 'solver=own', 'simulated,solver= other']) {
    const { text, isError } = await call('start_run', {
      name: 'run',
      tasks: 'answers',
      methods: 'baseline',
      agents,
    })
    expect([agents, isError]).toEqual([agents, true])
    expect(text).toContain('is a program of a file')
  }
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})

it('when the client closes the server, a run that works stops after its call in flight and can be resumed', async () => {
  const { server, env } = await familySetting([
    { ...dear, usage: { input: 10, output: 10 }, failure: { kind: 'slow', ms: 500 } as const },
  ])
  const cwd = folderWithAgent()
  const { client, call } = await openBenchMcp(cwd, ['--allow-spend', '3'], env)
  const started = call('start_run', { name: 'run', methods: 'baseline', epochs: 9, ...paid, wait_seconds: 1 })
  expect((await started).text).toContain('run works on')
  await until(() => server.asked() > 2)
  // Asked three times it still ends its calls.
  for (const _ of [1, 2]) expect((await call('stop_run', { run: 'run' })).isError).toBe(false)
  await client.close()
  const run = join(cwd, 'results/run')
  await until(() => readSessions(run).at(-1)?.end !== undefined)
  expect(recordsOf(run).length).toBeLessThan(72)
  const resumed = await bench(['--resume', 'results/run', '--quiet'], { cwd, env })
  expect(resumed.stderr).not.toContain('maybe paid')
  expect(recordsOf(run)).toHaveLength(72)
  expect(stepsOf(run).filter(({ kind }) => kind === 'void')).toEqual([])
})
