import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { readConfig } from '../../../src/commands/config/config-file.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { configuredPrograms, modelProgramProblems } from '../../../src/commands/session/model-programs.ts'
import type { ModelProgram } from '../../../src/schema/method/model-program.ts'
import type { Strategy } from '../../../src/strategy.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { external } from '../../../strategies/external.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const overHttp = { name: 'openai-compatible:m', upstream: {} } as Agent

/** What is said of a method with this program, in a working folder with an application. */
function told(
  program: Partial<ModelProgram>,
  {
    mode = 'live',
    agent = overHttp,
    tasks = 'answers',
    tools = [] as string[],
    faults = {},
    label = 'mine',
  } = {},
): string[] {
  const folder = tempFolder()
  const before = process.cwd()
  mkdirSync(join(folder, 'app/tasks'), { recursive: true })
  for (const file of ['app.py', 'run.sh']) writeFileSync(join(folder, 'app', file), '#!/bin/sh\n')
  writeFileSync(join(folder, 'app/broken.sh'), '#!/usr/bin/env nosuchinterpreter\n')
  for (const file of ['run.sh', 'broken.sh']) chmodSync(join(folder, 'app', file), 0o755)
  writeFileSync(join(folder, 'beside.py'), '')
  symlinkSync('../beside.py', join(folder, 'app/link.py'))
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  const strategy: Strategy = {
    ...external,
    asksModels: () => ({ command: ['node', '{stage}/app/app.mjs'], missing: [], ...program }),
  }
  const methods = [{ strategy: 'external', label, options: {} }]
  const problems = modelProgramProblems({
    named: { methods, agents: {}, faults } as never,
    strategies: [{ strategy, digest: '' }],
    mode: mode as 'live',
    rows: new Map([[label, { app: agent }]]),
    tasks,
    tools: new Map([[label, { known: new Map(tools.map((name) => [name, name])) }]]),
  })
  return problems.map(({ where, what, fix }) =>
    `${where}: ${what}. ${fix}`.replaceAll(realpathSync(folder), ''),
  )
}

it('what refuses a key of a program does not repeat it, which its label does', () => {
  const password = 'hunter2hunter2'
  const command = ['node', '--password', password]
  const said = told({ command }, { label: `external[command=${command.join(' ')}]` })
  expect(said).toEqual([
    expect.stringMatching(
      /^--methods external\[command=node --password \[hidden\].*: gives its program what looks like a key or password, in command;/,
    ),
  ])
  expect(said.join()).not.toContain(password)
})

it('a program that can be started, with an agent over HTTP, is no problem', () => {
  expect(told({})).toEqual([])
  expect(told({ folder: 'app', command: ['{folder}/run.sh'] })).toEqual([])
  expect(told({ env: { TOKENIZERS_PARALLELISM: 'false', MAX_TOKENS: '4096', MODE: 'fast' } })).toEqual([])
})

it.each<[string, Parameters<typeof told>]>([
  ['no command', [{ command: [] }]],
  ['no such program', [{ command: ['nosuchprogram'] }]],
  ['no such file', [{ missing: ['nowhere.mjs'] }]],
  ['no such file in its folder', [{ missing: ['nowhere.mjs'], folder: 'app' }]],
  ['a file that is not executable', [{ command: ['{folder}/app.py'], folder: 'app' }]],
  ['a program by its path', [{ command: ['./app.mjs'] }]],
  ['a program that its folder does not hold', [{ command: ['bin/app'], folder: 'app' }]],
  ['a variable before the program', [{ command: ['A=1', 'python3', 'x'] }]],
  ['a file of the machine that is no program', [{ command: ['/etc/passwd'] }]],
  ['a key in its environment', [{ env: { MY_API_KEY: 'a-value-of-a-key' } }]],
  ['a text like a key in its environment', [{ env: { WORD: `sk-${'a1B2'.repeat(8)}` } }]],
  ['a link out of its folder', [{ folder: 'app', command: ['node', '{folder}/link.py'] }]],
  ['a script without its interpreter', [{ folder: 'app', command: ['{folder}/broken.sh'] }]],
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
    ['gone', 'there is no folder none'],
  ])
})

it('a folder of a config file may lie elsewhere, and what is wrong with it is told once, at its line', async () => {
  const [folder, elsewhere] = [tempFolder(), tempFolder()]
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  writeFileSync(join(elsewhere, 'app.mjs'), '')
  const problemsOf = async (place: string) => {
    const entries = ['a', 'b'].map(
      (name) => `  ${name}: { strategy: external, options: { command: node app.mjs, folder: ${place} } }\n`,
    )
    writeFileSync('bench.config.yaml', `methods:\n${entries.join('')}`)
    const [found] = await configuredPrograms(readConfig('bench.config.yaml'))
    return found?.problems.map(({ where, what }) => `${where}: ${what}`)
  }
  expect(await problemsOf(elsewhere)).toEqual([])
  expect(await problemsOf('none')).toEqual([
    'bench.config.yaml:2 methods.a.options.folder: there is no folder none',
  ])
  expect(await problemsOf('.')).toEqual([
    'bench.config.yaml:2 methods.a.options.folder: the program may read all of ., which holds the working folder, where runs and tasks are',
  ])

  // A person may name a file anywhere, and what two methods have in common is told once.
  const typed = async (methods: string) => {
    const problems: Problem[] = []
    const selected = await selectMethods({ methods }, undefined, problems)
    return [selected.methods.map(({ options }) => options.program), problems.map(({ what }) => what)]
  }
  expect(await typed(`external:node ${elsewhere}/app.mjs`)).toEqual([
    [{ command: ['node', '{stage}/app/app.mjs'], files: { 'app/app.mjs': '' }, missing: [] }],
    [],
  ])
  writeFileSync(
    'bench.config.yaml',
    'methods:\n  a: { strategy: external, options: { command: node app.mjs, folder: none } }\n',
  )
  const problems: Problem[] = []
  await selectMethods({ methods: 'A=a[roles=x],B=a[roles=y]' }, readConfig('bench.config.yaml'), problems)
  expect(problems.map(({ what }) => what)).toEqual(['there is no folder none'])
})
