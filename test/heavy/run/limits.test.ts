import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, inject, it } from 'vitest'
import { expectSame, runOnce } from '../../cli/run/determinism-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  type Ended,
  intentsOf,
  recordLines,
  recordsOf,
  refused,
  root,
  stepsOf,
  wholeLines,
} from '../../helpers/runs/cli.ts'

const worker = join(root, 'fixtures/agents/paid-worker.mjs')
const free = ['--tasks', 'answers', '--methods', 'baseline,sequential[parallel=2]', '--epochs', '2']
const paid = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods baseline,sequential[parallel=2,maxOuter=2,maxInner=2]`

const json = (folder: string, file: string) =>
  wholeLines(join(folder, file)).map((line) => JSON.parse(line) as Record<string, unknown>)

/** The run ended by a limit: exit code 3, no table, and what to write to go on. */
function stopped(ended: Ended, ...texts: RegExp[]): void {
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  for (const text of texts) expect(ended.stderr).toMatch(text)
}

it('a run’s limit overshoots by at most the calls in flight, counts earlier sessions, and reports both', async () => {
  const folder = join(tempFolder(), 'run')
  const args = [...paid, '--parallel', '4', '--out', folder, '--max-cost', '0.105']
  const { stderr } = await bench(args, { env: { WORKER_MS: '4' } })
  const [, end] = json(folder, 'sessions.jsonl')
  const [limit] = (end as { limits: { used: number; over: number }[] }).limits
  const spent = stepsOf(folder).reduce(
    (sum, step) => sum + (step.kind === 'ask' ? (step.costUsd ?? 0) : 0),
    0,
  )
  expect(limit?.used).toBeCloseTo(spent, 9)
  // Four trials of at most two branches; each call costs a cent.
  expect(limit?.over).toBeGreaterThan(0)
  expect(limit?.over).toBeLessThanOrEqual(0.08)
  expect(end).toMatchObject({ type: 'end', reason: 'limit', limits: [{ scope: 'run', stopped: true }] })
  for (const percent of [50, 80, 95])
    expect(
      stderr.match(new RegExp(`note: ${percent} percent of a limit of the run used: \\$`, 'g')),
    ).toHaveLength(1)

  const next = await bench(['--resume', folder, '--max-cost', '0.3'], { env: { WORKER_MS: '4' } })
  stopped(next, /note: 95 percent of a limit of the run used/, /limit of the run: \$0\.3\d+ of \$0\.300 used/)
  const alerts = json(folder, 'events.jsonl').filter(({ trial, type }) => trial === null && type === 'alert')
  const levels = alerts.map(({ of, percent }) => `${of} ${percent}`)
  expect(levels.slice(0, 3)).toEqual(['0.105 50', '0.105 80', '0.105 95'])
  expect(levels.at(-1)).toBe('0.3 95')
  expect(new Set(levels).size).toBe(levels.length)
})

it('a method’s limit stops that method and lets the others go on', async () => {
  const folder = join(tempFolder(), 'run')
  const method = 'sequential[parallel=2]'
  stopped(
    await bench([...free, '--quiet', '--out', folder, '--method-limit', `${method}.calls=9`]),
    /limit of method sequential\[parallel=2\]: 9 of 9 calls used; it stopped method sequential/,
    /--method-limit 'sequential\[parallel=2\]\.calls=MORE'/,
  )
  const records = recordsOf(folder)
  expect(records.filter((record) => record.method === 'baseline')).toHaveLength(16)
  expect(records.filter((record) => record.method === method).length).toBeLessThan(4)
  expect(records.map(({ outcome }) => outcome.status)).not.toContain('limited')
  const calls = stepsOf(folder).filter(({ kind }) => kind === 'ask')
  expect(calls).toHaveLength(16 + 9)
  expect((await bench(['show', folder])).stdout).toContain(`method ${method} 9 calls`)

  // A stopped run can be reported.
  const ended = new Set(records.map(({ trial }) => trial))
  const open = calls.find(({ trial }) => !ended.has(trial))?.trial ?? ''
  const { stdout, code } = await bench(['show', folder, open.slice(0, 10)])
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^Trial ${open}\n  task +answers/`))
  expect(stdout).toContain(`method   ${method}, epoch `)
  expect(stdout).toMatch(/Not ended yet {2}\d+ steps? so far\. .*bench run --resume/)
  expect(stdout).toMatch(/#0/)
})

it('--max-time stops a run by real time, summed over its sessions', async () => {
  const folder = join(tempFolder(), 'run')
  const args = [...paid, '--parallel', '1', '--quiet', '--out', folder, '--max-time', '0.2']
  stopped(await bench(args, { env: { WORKER_MS: '40' } }), /limit of the run: 0\.\d s of 0\.2 s used/)
  stopped(await bench(['--resume', folder, '--quiet']), /--max-time MORE/)
})

it('a limit in dollars warns about a call of unknown price', async () => {
  const agent = join(tempFolder(), 'agent.mjs')
  writeFileSync(agent, "export default () => ({ text: 'Answer: 1', tokens: { input: 1, output: 1 } })")
  const ended = await bench(
    argv`--tasks answers --methods baseline --agents scripted:${agent} --max-cost 1`,
    { cwd: tempFolder() },
  )
  expect(ended.code).toBe(0)
  expect(
    ended.stderr.match(/a call of baseline has no known price, so limits in dollars do not count it/g),
  ).toHaveLength(1)
  expect(ended.stderr).toMatch(
    /at least \$0 of \$1\.00 \(simulated\) used; not counting 8 calls of unknown price/,
  )
})

it('a run without records says that its numbers will be simulated, and by which profile', async () => {
  const folder = join(tempFolder(), 'run')
  stopped(await bench([...free, '--out', folder, '--max-time', '0.000001', '--parallel', '1']))
  expect(recordsOf(folder)).toEqual([])
  const { stdout } = await bench(['report', folder])
  expect(stdout).toContain('simulated; 0 trials')
  expect(stdout).toContain('describe profile default@1, not the methods')
})

it('trial ids depend on a trial’s limits, not on those of the run and its methods', async () => {
  const ids = async (...limits: string[]) => {
    const folder = join(tempFolder(), 'run')
    await bench(['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet', '--out', folder, ...limits])
    return recordsOf(folder).map(({ trial }) => trial)
  }
  const plain = await ids()
  expect(await ids('--max-cost', '5', '--method-limit', 'tokens=99999')).toEqual(plain)
  expect(await ids('--limit', 'tokens=99999')).not.toEqual(plain)
})

it('wrong limits are reported together, with what to write instead', async () => {
  const out = join(tempFolder(), 'run')
  const wrong = argv`--max-cost -1 --max-tokens 1.5 --max-calls ${''} --max-time soon
    --method-limit baselin.tokens=5,foo=3,costUsd=x,checks=2,calls --limit calls=0`
  const { stderr } = await refused(argv`--tasks answers --methods baseline --out ${out} ${wrong}`, [
    /\[--max-cost -1\] is not a number above 0\. Write for example --max-cost 5, or --max-cost none/,
    /\[--max-tokens 1\.5\] is not a whole number above 0/,
    /\[--max-calls \] is not a whole number above 0/,
    /\[--max-time soon\] is not a number above 0\. Write for example --max-time 3600 for an hour/,
    /\[--method-limit baselin\.tokens=5\] there is no method of this run "baselin"\. Did you mean "baseline"\?/,
    /\[--method-limit foo=3\] there is no method limit "foo"\. Known: calls, tokens, costUsd, timeMs/,
    /\[--method-limit costUsd=x\] is not a number above 0/,
    /\[--method-limit checks=2\] there is no method limit "checks"/,
    /\[--method-limit calls\] is not METHOD\.limit=amount/,
    /\[--limit calls=0\]/,
  ])
  expect(stderr.trim().split('\n')).toHaveLength(10)
  expect(existsSync(out)).toBe(false)
})

it('a program can set limits, read what they stopped, and lift them', async () => {
  const program = `
    import { run } from 'orchestration-bench'
    const plan = { tasks: 'answers', methods: ['baseline', 'sequential'], out: process.env.OUT }
    const limits = { runLimits: { tokens: 20000, timeMs: 600000 }, methodLimits: { '*': { calls: 500 }, sequential: { costUsd: 9 } } }
    const first = await run({ ...plan, ...limits })
    const lifted = { runLimits: { tokens: null, timeMs: null }, methodLimits: { '*': { calls: null, costUsd: null } } }
    const second = await run({ resume: process.env.OUT, ...lifted })
    console.log(JSON.stringify([first, second].map(({ interrupted, limits }) => ({ interrupted, limits }))))`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { OUT: join(tempFolder(), 'run'), ORCHESTRATION_BENCH_CACHE: inject('cache') },
  })
  const [first, second] = JSON.parse(stdout) as [{ interrupted: boolean; limits: object[] }, object]
  expect(first.interrupted).toBe(true)
  expect(first.limits).toMatchObject([
    { scope: 'run', limit: 'tokens', of: 20000, stopped: true },
    { scope: 'run', limit: 'timeMs', of: 600000, stopped: false },
    { scope: 'method', method: 'baseline', limit: 'calls', of: 500 },
    { scope: 'method', method: 'sequential', limit: 'calls', of: 500 },
    { scope: 'method', method: 'sequential', limit: 'costUsd', of: 9 },
  ])
  expect(second).toEqual({ interrupted: false, limits: [] })
})

it.each([
  ['calls=9,calls=5', 'gives "calls" twice'],
  ['calls=9=5', '"calls" is not a whole number above 0'],
])('--limit %s is refused, because one of the numbers would be ignored', async (text, what) => {
  const out = join(tempFolder(), 'run')
  const wrong = ['--tasks', 'answers', '--methods', 'baseline', '--out', out, '--limit', text]
  await refused(wrong, [new RegExp(`\\[--limit ${text}\\] ${what}`)])
})

describe('limits', () => {
  const worker = join(root, 'fixtures/agents/paid-worker.mjs')
  const free = ['--tasks', 'answers', '--methods', 'baseline,sequential[parallel=2]', '--epochs', '2']
  const paid = argv`--mode live --agents scripted:${worker} --tasks answers
    --methods baseline,sequential[parallel=2,maxOuter=2,maxInner=2]`

  /** The run ended by a limit: exit code 3, no table, and what to write to go on. */
  function stopped(ended: Ended, ...texts: RegExp[]): void {
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    for (const text of texts) expect(ended.stderr).toMatch(text)
  }

  it.each([
    { name: 'free', plan: free, limits: ['--max-tokens', '20000', '--max-cost', '3'], env: {} },
    {
      name: 'paid',
      plan: paid,
      limits: ['--max-cost', '0.2', '--max-calls', '900'],
      env: { WORKER_MS: '4' },
    },
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
      const last = await bench(argv`--resume ${folder} --quiet ${lifted}`, {
        env: { ...env, WORKER_LOG: log },
      })
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
})
