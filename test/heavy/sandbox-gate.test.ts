import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, shareProcess } from '../helpers/runs/cli.ts'
import { startModelServer } from '../model-server/server.ts'

shareProcess()

/** An environment without any sandbox, and a model on loopback. */
async function bare() {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const env = { PATH: tempFolder(), OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
  return { server, setting: { cwd: tempFolder(), env } }
}

const live = ['--methods', 'baseline', '--mode', 'live', '--quiet']
const model = ['--agents', 'openai-compatible:m']

it('answer tasks with a paid agent run without a sandbox', async () => {
  const { server, setting } = await bare()
  const { code, stderr } = await bench(argv`--tasks ferry-morning ${live} ${model} --out run`, setting)
  expect(code, stderr).toBe(0)
  expect(server.asked()).toBe(1)
  expect(stderr).not.toMatch(/sandbox/)
  expect(await benchOk(['report', 'run'], setting)).not.toMatch(/sandbox/)
})

it('code tasks with a paid agent are refused without a sandbox, and a dry run has the same exit code', async () => {
  const { server, setting } = await bare()
  const words = [/agent openai-compatible:m\] writes code that would run in no sandbox/]
  const args = ['--tasks', 'ferry-morning,duration-text', ...live, ...model]
  const run = await refused(args, words, setting)
  expect(await refused([...args, '--dry-run'], words, setting)).toEqual(run)
  expect(await refused([...args, '--confirm-above', '1'], words, setting)).toEqual(run)
  const allowed = await bench([...args, '--dry-run', '--allow-unsandboxed'], setting)
  expect(allowed).toMatchObject({ code: 0, stderr: expect.stringMatching(/because of --allow-unsandboxed/) })
  expect(server.asked()).toBe(0)
})

it('an agent program is refused without a sandbox, for any task', async () => {
  const { setting } = await bare()
  writeFileSync(
    join(setting.cwd, 'bench.config.yaml'),
    `agents: { mine: { provider: cli, program: { command: [${process.execPath}], output: text } } }`,
  )
  await refused(
    argv`--tasks ferry-morning ${live} --agents mine`,
    [/agent mine=cli\] is a program that would run in no sandbox/],
    setting,
  )
})

it('replay --regrade runs code of a paid agent only in a sandbox or with the user’s permission', async () => {
  const { server, setting } = await bare()
  await benchOk(argv`--tasks duration-text ${live} ${model} --allow-unsandboxed --out run`, setting)
  const asked = server.asked()
  expect(await benchOk(['replay', 'run'], setting)).toContain('no divergence')
  await refused(['replay', 'run', '--regrade'], [/writes code that would run in no sandbox/], setting)
  expect(await benchOk(['replay', 'run', '--regrade', '--allow-unsandboxed'], setting)).toContain(
    'graded again',
  )
  await refused(['replay', 'run', '--allow-unsandboxed'], ['requires --regrade'], setting)
  expect(server.asked()).toBe(asked)
})

/** Puts a bubblewrap that does not start in front of everything else. */
function brokenBubblewrap(): string {
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: broken here" >&2\nexit 1\n', { mode: 0o755 })
  return folder
}

it.each([
  ['tasks with tests', ['--tasks', 'duration-text', '--methods', 'baseline']],
  ['methods that run code', ['--tasks', 'ferry-morning', '--methods', 'chained']],
])('a bubblewrap that is installed and fails refuses %s, in dev mode too', async (_, plan) => {
  const setting = { cwd: tempFolder(), env: { PATH: `${brokenBubblewrap()}:/usr/bin:/bin` } }
  const words = [/writes code that would run in no sandbox.*bwrap: broken here.*--allow-unsandboxed/s]
  await refused([...plan, '--quiet'], words, setting)
  await refused([...plan, '--quiet', '--dry-run'], words, setting)
})

it('without bubblewrap dev mode runs, and says before the first trial in what its code runs', async () => {
  const setting = { cwd: tempFolder(), env: { PATH: tempFolder() } }
  const { code, stderr } = await bench(argv`--tasks duration-text --methods baseline --out run`, setting)
  expect(code, stderr).toBe(0)
  const said = stderr.indexOf('code runs in no sandbox (level none). bubblewrap is not installed. Run: ')
  expect(said).toBeGreaterThanOrEqual(0)
  expect(stderr.indexOf('sandbox none (none) -> run')).toBeGreaterThan(said)
  const [begin] = readFileSync(join(setting.cwd, 'run/sessions.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(begin ?? '').sandbox).toEqual({
    level: 'none',
    adapter: 'none',
    reason: expect.stringMatching(/^bubblewrap is not installed/),
  })
})

it('every command reports a bubblewrap that does not start, and says why', async () => {
  const cwd = tempFolder()
  const setting = { cwd, env: { PATH: brokenBubblewrap() } }
  const plan = ['--tasks', 'duration-text', '--methods', 'baseline', '--quiet']
  await benchOk([...plan, '--allow-unsandboxed', '--out', 'run'], setting)
  for (const format of ['text', 'markdown', 'html', 'latex'])
    expect(await benchOk(['report', 'run', '--format', format], setting)).toMatch(
      /In 1 trial code or an agent ran\s+without a\s+sandbox/,
    )
  expect(recordsOf(join(cwd, 'run'))).toMatchObject([{ passed: expect.any(Boolean), sandbox: 'none' }])
  expect(await benchOk(['tasks', 'check', 'duration-text'], setting)).toMatch(/^1 of 1 task proved/m)
  expect(await benchOk(['doctor'], setting)).toMatch(/^missing +sandbox +none: .*\n +.*bwrap: broken here/m)
  for (const more of [[], ['--dry-run']])
    await refused(
      argv`${plan} ${more} --sandbox bubblewrap`,
      [/\[--sandbox bubblewrap\] cannot be used here.*bwrap: broken here/],
      setting,
    )
})
