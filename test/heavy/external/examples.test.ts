import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { bench, refused, root } from '../../helpers/runs/cli.ts'
import {
  applications,
  liveRun,
  placeExample,
  runExample,
  trialsOf,
} from '../../helpers/stages/applications.ts'

needs('python3').it(
  'a Python script of the standard library is compared by ten lines of config, to the token',
  async () => {
    await runExample('python')
  },
)

it('a command of a config file needs the word of its user, and what fails is told without paths of the machine', async () => {
  const { cwd, env, server } = await applications(() => ({ text: 'Answer: 418' }), {})
  placeExample('python', cwd)
  await refused(
    liveRun('mine'),
    [/starts this program: python3 app\.py/, /reads this file: app/, /--trust-code/],
    { cwd, env, trustsFiles: false },
  )
  writeFileSync(join(cwd, 'app/fails.mjs'), "throw new Error('it broke')\n")
  await bench(liveRun('f=external:node fails.mjs[folder=app]'), { cwd, env })
  const { f } = trialsOf(join(cwd, 'r'))
  expect(f?.record.outcome).toMatchObject({ status: 'failed' })
  expect(f?.stage.output).toMatch(/\{folder\}\/fails\.mjs:1/)
  expect(JSON.stringify(f)).not.toContain(cwd)
  expect(server.asked()).toBe(0)
})

it.each<[string, string[], RegExp]>([
  [
    'in dev mode',
    ['--methods', 'external:node app.mjs', '--dev'],
    /runs a program that asks models itself, and no simulated agent can answer it\. Add --mode live/,
  ],
  [
    'an agent without a model of its own',
    ['--methods', 'external:node app.mjs', '--mode', 'live', '--agents', 'oracle'],
    /oracle, the agent of the role app, has no model that a program could ask itself\. Use an agent over HTTP/,
  ],
  ['no command', ['--methods', 'external'], /names no command\. Write it after the colon/],
  [
    'a file that is not executable',
    ['--methods', 'external:app.py[folder=app]'],
    /app\/app\.py is not executable\. Run: chmod \+x app\/app\.py/,
  ],
  [
    'a shell',
    ['--methods', 'external:node app.mjs | tee x'],
    /the command has \| outside of quotes, but no shell runs/,
  ],
  [
    'a comma without quotes',
    ['--methods', 'external:node app.mjs --list=a,b'],
    /there is no method "b"\. If it belongs to the command before it, put quotes around its word there: '--list=a,b'\./,
  ],
  [
    'brackets without quotes',
    ['--methods', 'external:node app.mjs [x]'],
    /option "x" has no value\. Write x=VALUE, or put quotes around a word of its command that has brackets: '\[x\]'\./,
  ],
  [
    'a command in several words of the shell',
    ['--methods', 'external:node', 'app.mjs'],
    /is more than bench run takes\. .*put quotes around one with spaces/,
  ],
  [
    'an option twice',
    ['--methods', 'external:node app.mjs[timeoutSeconds=1,timeoutSeconds=2]'],
    /sets option "timeoutSeconds" twice/,
  ],
])('refuses %s in one line, before anything runs', async (_, words, text) => {
  const { cwd, env, server } = await applications(() => ({ text: 'Answer: 418' }), { app: '' })
  placeExample('python', cwd)
  const live = words.includes('--dev') || words.includes('--mode') ? [] : ['--mode', 'live']
  const agents =
    words.includes('--agents') || words.includes('--dev') ? [] : ['--agents', 'openai-compatible:local-model']
  const ended = await bench(
    ['run', '--tasks', 'ferry-morning', ...words, ...live, ...agents, '--out', 'r', '--quiet'],
    { cwd, env },
  )
  expect([ended.code, ended.stdout]).toEqual([2, ''])
  expect(ended.stderr).toMatch(text)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  expect(server.asked()).toBe(0)
})

it('the page shows the examples as they are', () => {
  const page = readFileSync(join(root, 'docs/reference/external.md'), 'utf8')
  for (const name of ['python', 'langgraph'])
    expect(page).toContain(
      readFileSync(join(root, 'fixtures/applications', name, 'bench.config.yaml'), 'utf8').trimEnd(),
    )
})
