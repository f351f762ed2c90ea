import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, root, startBench } from '../../helpers/runs/cli.ts'
import { callWarmBench } from '../../helpers/runs/warm-bench.ts'

/** Runs a program that imports the package; gives what it prints as JSON. */
async function program(text: string, out = join(tempFolder(), 'run')) {
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: root,
    env: { OUT: out, ORCHESTRATION_BENCH_CACHE: inject('cache') },
  })
  return JSON.parse(stdout)
}

const request = `tasks: 'answers', methods: ['A=baseline', 'B=baseline'], seed: 3, out: process.env.OUT`

it('run() fixes how methods are compared, and returns the comparison and the conditions that held', async () => {
  const out = join(tempFolder(), 'run')
  const result = await program(
    `import { run } from 'orchestration-bench'
    const { comparison, held, settled } = await run({
      ${request}, epochs: 2, baseline: 'B', family: 'baseline', outcome: 'score', margin: 5, calibration: true,
      failIf: ['success(A) <= 1', 'A.errors>0'], approve: 'abort', sandbox: 'auto',
    })
    const [{ a, b, verdict }] = comparison.pairs
    console.log(JSON.stringify({ a, b, verdict, outcome: comparison.outcome, margin: comparison.margin, held, settled }))`,
    out,
  )
  expect(result).toMatchObject({ a: 'A', b: 'B', outcome: 'score', margin: 0.05, settled: false })
  expect(result.verdict.word).toMatch(/^[a-z-]+$/)
  expect(result.held.map(({ text }: { text: string }) => text)).toEqual(['success(A) <= 1'])
  expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')).comparison).toEqual({
    ...{ family: 'baseline', outcome: 'score', margin: 0.05, calibration: true },
  })
})

it('run() stops by a rule of the plan, and refuses verdicts on simulated numbers like the command line', async () => {
  const result = await program(
    `import { run } from 'orchestration-bench'
    const stopped = await run({ ${request}, stopWhen: 'settled', calibration: true })
    const refused = await run({ ${request} + '2', failIf: 'better(A, B)' }).catch((error) => error.problems)
    const none = await run({ tasks: 'lamp-paths', methods: 'baseline', out: process.env.OUT + '3' })
    console.log(JSON.stringify({ stop: stopped.comparison.stop.rule, settled: stopped.settled, refused, none: none.comparison }))`,
  )
  expect(result.stop).toMatchObject({ sequence: 'mcnemar', comparisons: 1 })
  expect(result.settled).toBe(false)
  expect(result.refused[0].what).toContain('they show the profile, not the methods')
  expect(result.none).toBeNull()
})

it('run() reports all fields of a request that are unknown or of the wrong type', async () => {
  const problems = await program(
    `import { run } from 'orchestration-bench'
    const wrong = {
      tasks: 3, methods: ['baseline', 4], agents: ['simulated'], epochs: '2', seed: NaN, mode: 'test', limits: { call: 1, tokens: '5' },
      runLimits: { costUsd: 'none' }, methodLimits: { '*': { timeMs: [] } }, agentByRole: 'solver', secrets: 'KEY', calibration: 'yes',
      signal: {}, onEvent: 1, epoch: 2,
    }
    const problems = await run(wrong).catch((error) => error.problems)
    const none = await run().catch((error) => error.problems)
    console.log(JSON.stringify([...problems, ...none].map(({ where, what }) => where + ' ' + what)))`,
  )
  expect(problems).toEqual([
    'run() tasks must be a string or an array of strings',
    'run() methods must be a string or an array of strings',
    'run() agents must be a string',
    'run() agentByRole must be an object',
    "run() mode must be 'dev' or 'live'",
    'run() epochs must be a number',
    'run() seed must be a number',
    'run() limits.tokens must be a number',
    'run() limits there is no field "call"',
    'run() runLimits.costUsd must be a number',
    'run() methodLimits.*.timeMs must be a number',
    'run() calibration must be true or false',
    'run() secrets must be an array of strings',
    'run() signal must be an AbortSignal',
    'run() onEvent must be a function',
    'run() there is no field "epoch"',
    'run() must be an object',
  ])
})

it('a built-in strategy has the digest of its sources', async () => {
  const { builtInStrategies } = await import(join(root, 'dist/src/commands/methods/built-in-strategies.js'))
  const ofSources = Object.fromEntries(
    (builtInStrategies() as { strategy: { name: string }; digest: string }[]).map(({ strategy, digest }) => [
      strategy.name,
      digest,
    ]),
  )
  const digests = Object.values(ofSources)
  expect(new Set(digests).size).toBe(digests.length)
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
  const names = Object.keys(ofSources)
  expect(names).toContain('baseline')
  const out = join(tempFolder(), 'run')
  const what = ['--tasks', 'answers/ferry-morning', '--methods', names.join(',')]
  await benchOk([...what, '--quiet', '--out', out])
  const { methods, harness } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  const noted = methods.map(({ strategy, digest }: Record<string, string>) => [strategy, digest])
  expect(Object.fromEntries(noted)).toEqual(ofSources)
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(harness).toMatchObject({ graders: digest, code: digest })
})

const measure = async (part: string, ...options: string[]) => {
  const args = ['scripts/perf/main.mjs', '--only', part, '--rounds', '1', ...options]
  const env = { ORCHESTRATION_BENCH_CACHE: tempFolder() }
  return (await execa(process.execPath, args, { cwd: root, env })).stdout
}

needs('python3').it(
  'bench:perf prints our value, the floor, their ratio, the target and if it is met',
  async () => {
    const stdout = await measure('start', '--markdown')
    const rows = stdout.split('\n').filter((line) => line.startsWith('| bench') || line.startsWith('| a run'))
    expect(rows.map((row) => row.replaceAll(/[\d.,]+ ms/g, 'N ms').replaceAll(/ +/g, ' '))).toEqual([
      expect.stringMatching(
        /^\| bench --help, CPU \| N ms \| node -e 0: N ms \| [\d.]+x \| <= 3x \| (yes|NO) \|$/,
      ),
      expect.stringMatching(
        /^\| a run of one trial, CPU \| N ms \| node -e 0: N ms \| [\d.]+x \| <= 20x \| (yes|NO) \|$/,
      ),
    ])
  },
)

it.each([
  ['promptfoo', 'promptfoo'],
  ['langgraph', 'LangGraph.js'],
])('bench:perf says how to get %s if it is not installed', async (part, name) => {
  expect(await measure(part)).toContain(`not measured: get ${name} with \`npm run bench:peers\``)
})

it('one simulated ask runs code in at most 28 files beside the readers of replies, 17 of them in src/loop', {
  timeout: 60_000,
}, async () => {
  const { stdout, exitCode } = await execa(process.execPath, [join(root, 'scripts/trace-ask.mjs')])
  expect(exitCode).toBe(0)
  // A trace without files would also be within the limits.
  for (const file of ['trial/context', 'ask/ask', 'journal/journal'])
    expect(stdout).toContain(`src/loop/${file}.ts\n`)
})

const run = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--agents', 'oracle', '--quiet']

it('a call of bench in a process of many calls prints the same and ends as in a process of its own', async () => {
  const cwd = tempFolder()
  expect(await bench([...run, '--out', 'run'], { cwd })).toMatchObject({ code: 0 })
  for (const args of [['report', 'run'], ['show', 'nowhere'], ['--help'], ['run', '--nonsense']])
    expect(await bench(args, { cwd }), args.join(' ')).toEqual(await startBench(args, { cwd }).ended)
})

it('a call of bench keeps nothing of the one before it: folder, variables, arguments and exit code', async () => {
  const [one, other] = [tempFolder(), tempFolder()]
  expect(await bench([...run, '--out', 'run'], { cwd: one })).toMatchObject({ code: 0 })
  const model = [...run, '--mode', 'live', '--agents', 'openai-compatible:m', '--out', 'live']
  const env = { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' }
  expect((await bench([...model, '--dry-run'], { cwd: one, env })).stderr).not.toContain('is not set')
  expect((await bench(model, { cwd: one })).stderr).toContain('OPENAI_COMPATIBLE_BASE_URL is not set')
  expect(await bench(['show', 'run'], { cwd: other })).toMatchObject({ code: 2, stdout: '' })
  expect(await bench(['show', 'run'], { cwd: one })).toMatchObject({ code: 0, stderr: '' })
})

it('a call of bench that cannot begin in its folder fails its test with the reason', async () => {
  await expect(callWarmBench(['runs'], '/nowhere/at/all')).rejects.toThrow(
    /bench runs ended without a result.*ENOENT/s,
  )
  expect(await bench(['runs'])).toMatchObject({ code: 2 })
})
