import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

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
  expect(result.refused[0].what).toContain('a test would test the profile, not the methods')
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
  expect(problems).toMatchSnapshot()
})
