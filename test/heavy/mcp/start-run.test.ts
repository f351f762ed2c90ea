import { existsSync, readdirSync, writeFileSync } from 'node:fs'
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
  ['replies elsewhere', { agents: 'recorded:/etc/passwd' }, /no file below/],
  ['a strategy of a file', { methods: './evil.mjs' }, /no name of a built-in method/],
  ['a strategy behind a label', { methods: 'A=evil.mjs' }, /no name of a built-in method/],
  ['a document', { methods: 'fanout:evil.yaml' }, /no name of a built-in method/],
  ['an option with a path', { methods: 'baseline[prompt=../evil.txt]' }, /no name of a built-in method/],
  ['tasks elsewhere', { tasks: 'csv:/etc/passwd' }, /no file below/],
  ['tasks above', { tasks: 'answers,jsonl:../x.jsonl' }, /no file below/],
  ['a folder above', { tasks: '../tasks' }, /no file below/],
  ['a name with a path', { name: '../run' }, /no name of a folder/],
  ['a hidden name', { name: '.run' }, /no name of a folder/],
  ['a name like an option', { name: '--resume' }, /no name of a folder/],
]

it('without --allow-spend a client starts no program, no paid agent and reads nothing elsewhere', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'evil.mjs'), `import fs from 'node:fs'; fs.writeFileSync('${cwd}/ran', '')`)
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
  expect(readdirSync(cwd)).toEqual(['evil.mjs'])
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

it('when the client closes the server, a run that works stops after its call in flight and can be resumed', async () => {
  const { server, env } = await familySetting([
    { ...dear, usage: { input: 10, output: 10 }, failure: { kind: 'slow', ms: 500 } as const },
  ])
  const cwd = folderWithAgent()
  const { client, call } = await openBenchMcp(cwd, ['--allow-spend', '3'], env)
  const started = call('start_run', { name: 'run', methods: 'baseline', epochs: 9, ...paid, wait_seconds: 1 })
  expect((await started).text).toContain('run works on')
  await until(() => server.asked() > 2)
  await client.close()
  const run = join(cwd, 'results/run')
  await until(() => readSessions(run).at(-1)?.end !== undefined)
  expect(recordsOf(run).length).toBeLessThan(72)
  const resumed = await bench(['--resume', 'results/run', '--quiet'], { cwd, env })
  expect(resumed.stderr).not.toContain('maybe paid')
  expect(recordsOf(run)).toHaveLength(72)
  expect(stepsOf(run).filter(({ kind }) => kind === 'void')).toEqual([])
})
