import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { digest } from '../../../src/text/canonical-json.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const paid = `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`
const plan = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet']

async function setting() {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const cwd = folderOf({ 'bench.config.yaml': 'agents: { local: openai-compatible:m }\n' })
  return {
    server,
    cwd,
    env: { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`, WORKER_LOG: join(cwd, 'asked') },
  }
}

it('dev mode refuses agents that are paid or programs, names the place and the remedy, and asks no agent', async () => {
  const { server, ...place } = await setting()
  const isRefused = (args: readonly string[], ...texts: (string | RegExp)[]) =>
    refused([...plan, ...args], texts, place)
  const model = 'the agent openai-compatible:m asks a real model, which dev mode does not allow'
  await isRefused(
    ['--agents', 'openai-compatible:m'],
    `[--agents openai-compatible:m] ${model}`,
    'Add --mode live',
  )
  await isRefused(['--agents', 'simulated,openai-compatible:m'], `[--agents openai-compatible:m] ${model}`)
  await isRefused(['--agent', 'solver=openai-compatible:m'], `[--agent solver=openai-compatible:m] ${model}`)
  await isRefused(['--agents', 'local', '--dry-run'], `[--agents local] ${model}`)
  await isRefused(['--agents', 'local', '--dev'], 'Replace --dev by --mode live')
  await isRefused(['--agents', 'local', '--mode', 'dev'], 'Replace --mode dev by --mode live')
  await isRefused(['--agents', paid], `the agent ${paid} is paid`)
  await isRefused(['--agents', 'claude-cli:m'], 'the agent claude-cli:m starts a real agent CLI')
  await isRefused(
    ['--agents', 'claude-cli:m', '--agent', 'solver=ollama'],
    '[--agents claude-cli:m]',
    '[--agent solver=ollama]',
  )
  expect(server.asked()).toBe(0)
  expect(existsSync(join(place.cwd, 'asked'))).toBe(false)
  expect(existsSync(join(place.cwd, 'results'))).toBe(false)
})

it('dev mode ignores the agents of the config file, and live mode asks them', async () => {
  const { server, ...place } = await setting()
  writeFileSync(
    join(place.cwd, 'bench.config.yaml'),
    'run: { agents: local }\nagents: { local: openai-compatible:m }\nprices: { openai-compatible:m: { input: 1, output: 1 } }\n',
  )
  await benchOk([...plan, '--out', 'dev'], place)
  await benchOk(['power', '--tasks', 'answers', '--methods', 'baseline,retry', '--profile', 'null'], place)
  expect(server.asked()).toBe(0)
  await benchOk([...plan, '--mode', 'live', '--out', 'live'], place)
  const [dev, live] = ['dev', 'live'].map((folder) => recordsOf(join(place.cwd, folder))[0])
  expect(dev).toMatchObject({ agents: 'simulated', simulated: true })
  expect(live).toMatchObject({ agents: 'openai-compatible:m', simulated: false })
  expect(live?.spent.costUsd).toBeGreaterThan(0)
})

it('a live run with one simulated role passes the checks of paid agents and is labelled as simulated', async () => {
  const { server, ...place } = await setting()
  const mixed = argv`--tasks answers --methods A=sequential[maxInner=1],B=sequential[maxInner=1,maxOuter=1]
    --quiet --mode live --agents simulated --agent code-generator=openai-compatible:m`
  await refused([...mixed, '--confirm-above', '0.01'], [/the run may cost more than \$0\.01/], place)
  expect(server.asked()).toBe(0)
  const code = mixed.map((word) => (word === 'answers' ? 'duration-text' : word))
  await refused(
    argv`${code} --sandbox none`,
    [/agent openai-compatible:m\] writes code that would run/],
    place,
  )
  const stdout = await benchOk([...mixed, '--out', 'run'], place)
  expect(server.asked()).toBeGreaterThan(0)
  const folder = join(place.cwd, 'run')
  expect((JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunManifest).simulated).toBe(true)
  for (const { simulated } of recordsOf(folder)) expect(simulated).toBe(true)
  for (const step of stepsOf(folder))
    expect(step.simulated).toBe(step.kind === 'ask' ? step.agent === 'simulated' : true)
  expect(stdout).toMatch(/these numbers describe profile default@\d+, not the\s+methods/)
  const report = JSON.parse(await benchOk(['report', 'run', '--format', 'json'], place))
  expect(report.comparison.pairs).toMatchObject([{ verdict: null, adjustedP: null, outcome: { p: null } }])
})

it('a run that mixes simulated and live rows is refused before any agent is asked', async () => {
  const { server, ...place } = await setting()
  const live = [...plan, '--mode', 'live']
  const words = [/asks (simulated|oracle), whose numbers are simulated/, 'Run them as two runs']
  await refused([...live, '--agents', 'openai-compatible:m,oracle'], words, place)
  await refused([...live, '--agents', 'simulated,openai-compatible:m'], words, place)
  expect(server.asked()).toBe(0)
})

it('a run folder of dev mode that names a paid agent is not resumed', async () => {
  const { server, ...place } = await setting()
  await benchOk([...plan, '--out', 'run'], place)
  const path = join(place.cwd, 'run/run.json')
  const { sum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  const changed = { ...manifest, agents: { '*': 'openai-compatible:m' } }
  writeFileSync(path, JSON.stringify({ ...changed, sum: digest(changed) }))
  await refused(
    argv`--resume run`,
    argv`${'run/run.json] the run was started in dev mode, but its agent openai-compatible:m is paid'}
      ${'--mode live'}`,
    place,
  )
  expect(server.asked()).toBe(0)
})

it('bench doctor --call starts a program only in a full sandbox or with --allow-unsandboxed', async () => {
  const cwd = tempFolder()
  const env = { PATH: tempFolder() }
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    `agents: { mine: { provider: cli, program: { command: [${process.execPath}, -e, "console.log('ok')"], output: text } } }\n`,
  )
  await refused(argv`doctor --call mine`, [/mine=cli\] is a program that would run in no sandbox/], {
    cwd,
    env,
  })
  const { code, stdout, stderr } = await bench(argv`doctor --call mine --allow-unsandboxed`, {
    cwd,
    env,
  })
  expect({ code, stdout }, stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('replied "ok"') })
  await refused(['doctor', '--allow-unsandboxed'], ['requires --call'], { cwd, env })
})
