import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectSame, runOnce } from '../cli/run/determinism-scenario.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import {
  bench,
  type Ended,
  intentsOf,
  recordLines,
  recordsOf,
  root,
  stepsOf,
  wholeLines,
} from '../helpers/runs/cli.ts'

const worker = join(root, 'fixtures/agents/paid-worker.mjs')
const free = ['--tasks', 'answers', '--methods', 'baseline,sequential[parallel=2]', '--epochs', '2']
const paid = [
  ...['--mode', 'live', '--agents', `scripted:${worker}`, '--tasks', 'answers'],
  ...['--methods', 'baseline,sequential[parallel=2,maxOuter=2,maxInner=2]'],
]

/** The run ended by a limit: exit code 3, no table, and what to write to go on. */
function stopped(ended: Ended, ...texts: RegExp[]): void {
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  for (const text of texts) expect(ended.stderr).toMatch(text)
}

it.each([
  { name: 'free', plan: free, limits: ['--max-tokens', '20000', '--max-cost', '3'], env: {} },
  { name: 'paid', plan: paid, limits: ['--max-cost', '0.2', '--max-calls', '900'], env: { WORKER_MS: '4' } },
])('a $name run stops at its limit, and ends with the records of a run without one', async (its) => {
  const { plan, limits, env } = its
  const calm = await runOnce(plan, env, '--parallel', '1')
  for (const parallel of ['1', '8']) {
    const folder = join(tempFolder(), 'run')
    const log = join(tempFolder(), 'calls.jsonl')
    const args = [...plan, '--parallel', parallel, '--quiet', '--out', folder]
    const first = await bench([...args, ...limits], { env: { ...env, WORKER_LOG: log } })
    stopped(
      first,
      /limit of the run: .* used; .*it stopped the run/,
      /stopped by a limit after \d+ of \d+ trials/,
    )
    const before = recordsOf(folder)
    expect(before.length).toBeLessThan(calm.lines.length)

    // The limit still applies: no more calls are made. Effects without a call, such as a check, may end.
    const asks = () => stepsOf(folder).filter(({ kind }) => kind === 'ask').length
    const asked = asks()
    stopped(
      await bench(['--resume', folder, '--quiet'], { env }),
      /Resume with: bench run --resume .* --max-\w+ MORE/,
    )
    expect(asks()).toBe(asked)

    const lifted = ['--max-cost', 'none', '--max-tokens', 'none']
    const last = await bench(['--resume', folder, '--quiet', ...lifted], { env: { ...env, WORKER_LOG: log } })
    expect(last).toMatchObject({ code: 0 })
    expect(last.stderr).not.toMatch(/divergence|maybe paid/)
    expectSame({ folder, lines: recordLines(folder), ms: 0 }, calm)
    for (const { trial, wall } of before)
      expect(recordsOf(folder).find((record) => record.trial === trial)?.wall).toEqual(wall)
    // No paid call was asked twice, or cut off.
    if (its.name === 'paid') {
      const names = wholeLines(log).map((line) => (JSON.parse(line) as { name: string }).name)
      expect(new Set(names).size).toBe(names.length)
      expect(intentsOf(folder)).toHaveLength(names.length)
    }
  }
})

it('--max-time ends a run whose agent never answers, and the run can be resumed', async () => {
  const folder = join(tempFolder(), 'run')
  const plan = [...paid, '--quiet', '--out', folder, '--max-time', '2']
  stopped(await bench(plan, { env: { WORKER_MOST: '3' } }), /stopped by a limit after \d of 16 trials/)
  expect(intentsOf(folder).length).toBeGreaterThan(0)
  expect(await bench(['--resume', folder, '--quiet', '--max-time', 'none'])).toMatchObject({ code: 0 })
  expect(recordsOf(folder)).toHaveLength(16)
})

it('a run spends at most one call more than --max-cost, at any --parallel', async () => {
  const folder = join(tempFolder(), 'run')
  const plan = [...paid, '--parallel', '16', '--quiet', '--out', folder, '--max-cost', '0.05']
  stopped(await bench(plan, { env: { WORKER_MS: '50' } }), /\$0\.0[56]\d* of \$0\.05/)
})
