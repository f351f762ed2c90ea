import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { readConfig } from '../../../src/commands/config/config-file.ts'
import { configuredPrograms, modelProgramProblems } from '../../../src/commands/session/model-programs.ts'
import type { ModelProgram } from '../../../src/schema/method/model-program.ts'
import type { Strategy } from '../../../src/strategy.ts'
import { external } from '../../../strategies/external.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const overHttp = { name: 'openai-compatible:m', upstream: {} } as Agent

/** What is said of a method with this program, in a working folder with an application. */
function told(
  program: Partial<ModelProgram>,
  { mode = 'live', agent = overHttp, tasks = 'answers', tools = [] as string[], faults = {} } = {},
): string[] {
  const folder = tempFolder()
  const before = process.cwd()
  mkdirSync(join(folder, 'app/tasks'), { recursive: true })
  for (const file of ['app.py', 'run.sh']) writeFileSync(join(folder, 'app', file), '#!/bin/sh\n')
  chmodSync(join(folder, 'app/run.sh'), 0o755)
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  const strategy: Strategy = {
    ...external,
    asksModels: () => ({ command: ['node', '{stage}/app/app.mjs'], missing: [], ...program }),
  }
  const methods = [{ strategy: 'external', label: 'mine', options: {} }]
  const problems = modelProgramProblems({
    named: { methods, agents: {}, faults } as never,
    strategies: [{ strategy, digest: '' }],
    mode: mode as 'live',
    rows: new Map([['mine', { app: agent }]]),
    tasks,
    tools: new Map([['mine', { known: new Map(tools.map((name) => [name, name])) }]]),
  })
  return problems.map(({ where, what, fix }) => `${where}: ${what}. ${fix}`)
}

it('a program that can be started, with an agent over HTTP, is no problem', () => {
  expect(told({})).toEqual([])
  expect(told({ folder: 'app', command: ['{folder}/run.sh'] })).toEqual([])
})

it.each<[string, Parameters<typeof told>]>([
  ['no command', [{ command: [] }]],
  ['no such program', [{ command: ['nosuchprogram'] }]],
  ['no such file', [{ missing: ['nowhere.mjs'] }]],
  ['no such file in its folder', [{ missing: ['nowhere.mjs'], folder: 'app' }]],
  ['a file that is not executable', [{ command: ['{folder}/app.py'], folder: 'app' }]],
  ['a program by its path', [{ command: ['./app.mjs'] }]],
  ['a program that its folder does not hold', [{ command: ['bin/app'], folder: 'app' }]],
  ['the working folder', [{ folder: '.' }]],
  ['a folder with tasks', [{ folder: 'app' }, { tasks: 'native:app/tasks' }]],
  ['tools', [{}, { tools: ['read'] }]],
  ['injected faults', [{}, { faults: { app: { server: 1 } } }]],
  ['dev mode', [{}, { mode: 'dev' }]],
  ['an agent that is no model over HTTP', [{}, { agent: { name: 'oracle' } as Agent }]],
])('tells of %s in one sentence with the remedy', (_, given) => {
  const lines = told(...given)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchSnapshot()
})

it('doctor tells of the programs of a config file whether they can be started, and loads no code of others', async () => {
  const folder = tempFolder()
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  mkdirSync('app')
  writeFileSync('app/app.mjs', '')
  const entry = (name: string, strategy: string, options: string) =>
    `  ${name}:\n    strategy: ${strategy}\n    options: ${options}\n`
  writeFileSync(
    'bench.config.yaml',
    `methods:\n${entry('good', 'external', '{ command: [node, app.mjs], folder: app }')}${entry('short', "'external:nosuchprogram x'", '{}')}` +
      `${entry('gone', 'external', '{ command: node app.mjs, folder: none }')}${entry('code', './throws.mjs', '{}')}`,
  )
  writeFileSync('throws.mjs', 'throw new Error()')
  const found = await configuredPrograms(readConfig('bench.config.yaml'))
  expect(found.map(({ label, problems }) => [label, problems.map(({ what }) => what).join()])).toEqual([
    ['good', ''],
    ['short', 'the program nosuchprogram is not on the PATH'],
    ['gone', 'there is no such folder'],
  ])
})
