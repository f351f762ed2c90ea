import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  intentsOf,
  recordLines,
  recordsOf,
  root,
  soon,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'

it('a run handles Ctrl-C while its trials never wait', async () => {
  const many = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--epochs', '50000']
  const running = startBench([...many, '--out', join(tempFolder(), 'run'), '--parallel', '2'])
  await running.says(/\/50000 /)
  running.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
  expect(stderr).toMatch(/interrupted after \d+ of 50000 trials/)
})

const agent = ['--mode', 'live', '--agents', `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`]
const plan = argv`${agent} --tasks ferry-morning,lamp-paths
  --methods baseline,sequential[maxInner=1,maxOuter=1]`

/** Starts a run whose agent never replies. */
async function hanging(env: Record<string, string>, args: readonly string[] = plan) {
  const place = tempFolder()
  const folder = join(place, 'run')
  const log = join(place, 'log')
  const running = startBench(argv`${args} --out ${folder} --parallel 2`, {
    env: { WORKER_LOG: log, WORKER_GATE: join(place, 'gate'), ...env },
  })
  await until(() => running.isOver() || wholeLines(log).length >= 2)
  return { ...running, folder }
}

it('a run whose paid calls never end is cut off at the second Ctrl-C with exit code 130, and prints how to resume it', async () => {
  const calm = join(tempFolder(), 'calm')
  expect(await bench([...plan, '--out', calm])).toMatchObject({ code: 0 })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { folder, kill, ended, says } = await hanging({})
    kill(signal)
    await says(/waits for 2 paid calls in flight; Ctrl-C again cuts them off/)
    await soon(150)
    kill(signal)
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain('cuts off 2 paid calls')
    expect(stderr).toContain(`interrupted after 0 of 4 trials. Resume with: bench run --resume ${folder}`)
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    expect(recordsOf(folder)).toEqual([])
    // The calls that were cut off may have been paid: their intents stay.
    expect(intentsOf(folder)).toHaveLength(2)
    expect(stepsOf(folder)).toEqual([])

    const resumed = await bench(['--resume', folder])
    expect(resumed).toMatchObject({ code: 0 })
    expect(resumed.stderr).toContain('2 calls may have been charged twice')
    expect(recordLines(folder)).toEqual(recordLines(calm))
  }
})

it('a run ends at the second Ctrl-C although an agent keeps working', { timeout: 30_000 }, async () => {
  const { folder, kill, ended, says } = await hanging({ WORKER_DEAF: '1' })
  kill('SIGINT')
  await says(/stopping: waits/)
  await soon(150)
  kill('SIGINT')
  await says(/interrupted/)
  expect(existsSync(join(folder, 'lock'))).toBe(false)
  expect(await ended).toMatchObject({ code: 130 })
})

it('a run ends immediately at the third Ctrl-C, even if something ignores the others', async () => {
  const strategy = join(tempFolder(), 'deaf.mjs')
  writeFileSync(
    strategy,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'deaf', summary: 'Never ends.', roles: { solver: 'produce' }, options: z.strictObject({}),
  run: async ({ ask }) => {
    await ask('solver', 'Go.').catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 1e9))
  },
})
`,
  )
  const args = [...agent, '--tasks', 'ferry-morning,lamp-paths', '--methods', strategy]
  const { folder, kill, ended, says } = await hanging({}, args)
  kill('SIGINT')
  await says(/stopping: waits/)
  await soon(150)
  kill('SIGINT')
  await says(/Ctrl-C again stops immediately/)
  kill('SIGINT')
  const { code, stderr } = await ended
  expect(code).toBe(130)
  expect(stderr).not.toContain('interrupted after')
  expect(existsSync(join(folder, 'run.json'))).toBe(true)
})
