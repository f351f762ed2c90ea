import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { survives } from '../../cli/run/crash-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { expectSameChains } from '../../helpers/stages/same-chains.ts'
import { startModelServer } from '../../model-server/server.ts'

const worker = join(root, 'fixtures/agents/paid-worker.mjs')

it('records of chains are byte-identical at parallel 1 and 4, stopped, killed and replayed, and each patch leads from the start to the graded tree', () =>
  expectSameChains('money-split,csv-report,recipe-scale', { replayed: 3, shipped: 1 }))

it('a run of chains survives kill -9 at 8 random moments without repeating an answered call or losing a record', () =>
  survives({
    ...{ kills: 8, seed: 11, branches: 1, isTimed: true },
    plan: ['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers', '--methods', 'chained'],
    options: ['--sandbox', 'none', '--allow-unsandboxed'],
  }))

it('chains of the oracle pass each task in files, show no solution, and are replayed', async () => {
  const folder = join(tempFolder(), 'run')
  const tasks = ['--tasks', 'duration-text,job-plan,justify-text']
  await benchOk([...tasks, '--methods', 'chained', '--agents', 'oracle', '--quiet', '--out', folder])
  const records = recordsOf(folder)
  expect(records.map(({ passed, claimed, fidelity }) => [passed, claimed, fidelity?.status])).toEqual(
    Array(3).fill([true, 'done', 'kept']),
  )
  const ended = stepsOf(folder).flatMap((step) => (step.kind === 'stage' ? step : []))
  expect(ended.some(({ resultHash }) => resultHash !== undefined)).toBe(true)
  const solution = readFileSync(
    join(root, 'tasks/code/duration-text/solution/src/parse-duration.mjs'),
    'utf8',
  )
  const start = readFileSync(join(root, 'tasks/code/duration-text/files/src/parse-duration.mjs'), 'utf8')
  const telling = solution.split('\n').filter((line) => line.length > 20 && !start.includes(line))
  const written = ['steps.jsonl', 'records.jsonl', 'events.jsonl'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  expect(telling.length).toBeGreaterThan(3)
  for (const line of telling)
    for (const text of written) expect(text).not.toContain(JSON.stringify(line).slice(1, -1))
  for (const { trial } of records) {
    const patch = join(folder, 'artifacts', trial, 'outputs/change.patch')
    if (existsSync(patch)) expect(readFileSync(patch, 'utf8')).toMatch(/withheld/)
  }
  await benchOk(['replay', folder, '--times', '2'])
})

it('chains of a paid agent are refused without a sandbox for any task, before anybody is asked', async () => {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  try {
    const env = { PATH: tempFolder(), OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
    const args = ['--tasks', 'ferry-morning', '--methods', 'chained', '--mode', 'live', '--quiet']
    const words = [/agent openai-compatible:m\] writes code that would run in no sandbox/]
    const agent = ['--agents', 'openai-compatible:m']
    await refused([...args, ...agent], words, { cwd: tempFolder(), env })
    await refused([...args, ...agent, '--dry-run'], words, { cwd: tempFolder(), env })
    expect(server.asked()).toBe(0)
  } finally {
    await server.close()
  }
})

it('a program of the chain or a tool that was changed makes another method of it, and a resume says so', async () => {
  const copy = tempFolder()
  for (const part of [
    'package.json',
    'dist',
    'strategies',
    'tasks',
    'fixtures/profiles',
    'src/graders/harness',
    'src/sandbox/programs',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const run = async (name: string) => {
    const words = [
      'run',
      '--tasks',
      'ferry-morning',
      '--methods',
      'chained,baseline',
      '--quiet',
      '--out',
      name,
    ]
    await execa(process.execPath, [join(copy, 'dist/bench/cli.cjs'), ...words], { cwd: copy })
    const { methods } = JSON.parse(readFileSync(join(copy, name, 'run.json'), 'utf8')) as RunManifest
    return methods.map(({ digest }) => digest)
  }
  const [before, baseline] = await run('before')
  const seen = [before]
  for (const path of [
    'strategies/chained/ask.mjs',
    'dist/bench/tools/state.schema.json',
    'dist/bench/tools/test-runner.mjs',
  ]) {
    appendFileSync(join(copy, path), '\n')
    const [now, same] = await run(path.replaceAll('/', '-'))
    expect(seen).not.toContain(now)
    expect(same).toBe(baseline)
    seen.push(now)
  }
  const replayed = await execa(process.execPath, [join(copy, 'dist/bench/cli.cjs'), 'replay', 'before'], {
    cwd: copy,
    reject: false,
  })
  expect(replayed.stderr).toMatch(/method chained has changed since this run started/)
})
